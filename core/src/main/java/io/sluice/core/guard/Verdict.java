package io.sluice.core.guard;

import io.sluice.core.observation.Tally;
import java.time.Duration;
import java.util.Locale;

/**
 * A judgement with the numbers it was made from, kept for the post-mortem.
 *
 * @param health what it comes to
 * @param reason one of the words of {@link Guard}, or the limit that was broken with both numbers, like
 *     {@code error_rate=0.0600>0.0200}
 * @param service the service it is about; empty when it is about all there is
 * @param samples requests seen
 * @param failures how many of them failed
 * @param p99 their P99 as shown, within 1.6 % or one millisecond, and always on the side of the limit where the exact
 *     one is
 */
public record Verdict(Health health, String reason, String service, long samples, long failures, Duration p99) {
    static Verdict of(Health health, String reason, Tally tally, Duration p99) {
        return new Verdict(health, reason, "", tally.count(), tally.failed(), p99);
    }

    /** This verdict, said about one service. */
    public Verdict about(String name) {
        return new Verdict(health, reason, name, samples, failures, p99);
    }

    /** For showing only; limits are compared in whole numbers. */
    public double errorRate() {
        return samples == 0 ? 0 : (double) failures / samples;
    }

    /** The worse of two; of two alike, this one. */
    public Verdict worse(Verdict other) {
        return other.health.compareTo(health) > 0 ? other : this;
    }

    /** The reason, led by the service if it is about one: {@code order: p99=512ms>300ms}. */
    public String describe() {
        return service.isEmpty() ? reason : service + ": " + reason;
    }

    /** All numbers in one line for people. */
    public String summary() {
        return String.format(
                Locale.ROOT,
                "%s %s (samples=%d errorRate=%.4f p99=%dms)",
                health,
                describe(),
                samples,
                errorRate(),
                p99.toMillis());
    }
}
