package io.sluice.core.guard;

import io.sluice.core.observation.Tally;
import java.time.Duration;
import java.util.List;
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
 * @param findings what each metric says, critical or only shown; empty when nothing but the limits was asked
 */
public record Verdict(
        Health health,
        String reason,
        String service,
        long samples,
        long failures,
        Duration p99,
        List<Finding> findings) {
    /** The most characters of a reason; what is longer is cut there. */
    public static final int LONGEST_REASON = 256;

    public Verdict {
        findings = List.copyOf(findings);
        reason = reason.length() <= LONGEST_REASON ? reason : cut(reason);
    }

    /** One without findings. */
    public Verdict(Health health, String reason, String service, long samples, long failures, Duration p99) {
        this(health, reason, service, samples, failures, p99, List.of());
    }

    static Verdict of(Health health, String reason, Tally tally, Duration p99) {
        return new Verdict(health, reason, "", tally.count(), tally.failed(), p99);
    }

    /** This verdict, said about one service. */
    public Verdict about(String name) {
        return new Verdict(health, reason, name, samples, failures, p99, findings);
    }

    Verdict as(Health other, String why) {
        return new Verdict(other, why, service, samples, failures, p99, findings);
    }

    /** The same numbers, as no reason to hold or to abort. */
    public Verdict asHealthy() {
        return as(Health.HEALTHY, Guard.HEALTHY);
    }

    /** This verdict, with the findings of others beside its own. */
    public Verdict with(List<Finding> all) {
        return new Verdict(health, reason, service, samples, failures, p99, all);
    }

    private static String cut(String text) {
        int end = LONGEST_REASON - 1;
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
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
