package io.sluice.core.guard;

import io.sluice.core.observation.Tally;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Judges a canary's tally by hard limits. A pure function; what follows from a verdict is the orchestrator's business.
 *
 * <p>A canary with enough samples is judged by error rate, then P99. Whatever is not over a limit holds when there is no
 * data, the data stopped, or it is too little. Comparisons are exact: the error rate by cross-multiplication, P99 by
 * counting the requests over the limit.
 */
public final class Guard {
    public static final String HEALTHY = "healthy";
    public static final String NO_DATA = "no_data";
    public static final String INSUFFICIENT_SAMPLES = "insufficient_samples";
    public static final String DATA_STOPPED = "data_stopped";

    private static final List<String> DECIMALS = List.of("%.4f", "%.6f", "%.9f");

    private final Thresholds limits;

    public Guard(Thresholds limits) {
        this.limits = limits;
    }

    /**
     * Judges.
     *
     * @param tally the canary's requests, their slow ones counted by this guard's P99 limit
     * @param silence how long ago the newest of them came in
     */
    public Verdict judge(Tally tally, Duration silence) {
        return judge(tally, shownP99(tally), silence);
    }

    /** Judges as {@link #judge(Tally, Duration)} does, showing a P99 that is known exactly. */
    public Verdict judge(Tally tally, Duration p99, Duration silence) {
        if (tally.count() == 0) {
            return Verdict.of(Health.HOLD, NO_DATA, tally, Duration.ZERO);
        }
        boolean enough = tally.count() >= limits.minSamples();
        if (enough && limits.maxErrorRate().isExceededBy(tally.failed(), tally.count())) {
            return Verdict.of(Health.BREACH, errorRateReason(tally), tally, p99);
        }
        if (enough && tally.isP99AboveLimit()) {
            String reason =
                    "p99=" + millisRoundedUp(p99) + "ms>" + limits.maxP99().toMillis() + "ms";
            return Verdict.of(Health.BREACH, reason, tally, p99);
        }
        if (silence.compareTo(limits.maxSilence()) > 0) {
            return Verdict.of(Health.HOLD, DATA_STOPPED, tally, p99);
        }
        return enough
                ? Verdict.of(Health.HEALTHY, HEALTHY, tally, p99)
                : Verdict.of(Health.HOLD, INSUFFICIENT_SAMPLES, tally, p99);
    }

    /** With four decimals, or as many as it takes for the rate to be shown over the limit. */
    private String errorRateReason(Tally tally) {
        double rate = (double) tally.failed() / tally.count();
        for (String decimals : DECIMALS) {
            String shown = String.format(Locale.ROOT, decimals, rate);
            String limit =
                    String.format(Locale.ROOT, decimals, limits.maxErrorRate().ppm() / 1e6);
            if (!shown.equals(limit)) {
                return "error_rate=" + shown + ">" + limit;
            }
        }
        return "error_rate=" + tally.failed() + "/" + tally.count() + ">"
                + limits.maxErrorRate().fraction();
    }

    private static long millisRoundedUp(Duration latency) {
        return latency.plusNanos(999_999).toMillis();
    }

    /** A rounded number must not contradict the exact verdict that stands beside it. */
    private Duration shownP99(Tally tally) {
        Duration rounded = tally.quantile(99);
        if (tally.isP99AboveLimit()) {
            Duration justAbove = limits.maxP99().plusMillis(1);
            return rounded.compareTo(justAbove) < 0 ? justAbove : rounded;
        }
        return rounded.compareTo(limits.maxP99()) > 0 ? limits.maxP99() : rounded;
    }
}
