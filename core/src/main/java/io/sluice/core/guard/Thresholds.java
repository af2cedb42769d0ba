package io.sluice.core.guard;

import io.sluice.core.problem.DurationWord;
import io.sluice.core.problem.Problems;
import java.time.Duration;

/**
 * The limits of a canary. Strictly more than a limit is a breach, exactly the limit is not.
 *
 * @param minSamples below so many requests nothing is judged, 1..1000000000
 * @param maxErrorRate the largest share of failed requests
 * @param maxP99 the largest nearest-rank P99 latency, 1 ms..10 min
 * @param maxSilence after so long without a request the canary's data counts as stopped, 1 s..1 h
 * @param window only the requests of so long are judged, to a twentieth, 10 s..24 h; zero for all since the stage began
 */
public record Thresholds(
        long minSamples, ErrorRate maxErrorRate, Duration maxP99, Duration maxSilence, Duration window) {
    /** How long a canary may be silent when nothing else is said. */
    public static final Duration DEFAULT_SILENCE = Duration.ofSeconds(30);

    /** Limits on all requests since the stage began. */
    public Thresholds(long minSamples, ErrorRate maxErrorRate, Duration maxP99, Duration maxSilence) {
        this(minSamples, maxErrorRate, maxP99, maxSilence, Duration.ZERO);
    }

    public Thresholds {
        Problems problems = new Problems();
        problems.require(
                minSamples >= 1 && minSamples <= 1_000_000_000,
                "minSamples",
                minSamples,
                "must be within 1..1000000000");
        problems.require(
                within(maxP99, Duration.ofMillis(1), Duration.ofMinutes(10)),
                "maxP99",
                DurationWord.of(maxP99),
                "must be within 1ms..10m");
        problems.require(
                within(maxSilence, Duration.ofSeconds(1), Duration.ofHours(1)),
                "maxSilence",
                DurationWord.of(maxSilence),
                "must be within 1s..1h");
        problems.require(
                window.isZero() || within(window, Duration.ofSeconds(10), Duration.ofHours(24)),
                "window",
                DurationWord.of(window),
                "must be within 10s..24h, or left out for the whole stage");
        problems.throwIfAny();
    }

    private static boolean within(Duration value, Duration least, Duration most) {
        return value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
    }
}
