package io.sluice.core.guard;

import io.sluice.core.observation.Tally;

/**
 * Whether it is shown already that canary's error rate is under its limit. May be looked at all the time.
 *
 * <p>The evidence against "the rate is the limit t or more" is the mean over the rates q = 0, t/8, t/4 and t/2 of
 * {@code (q / t)^failed ((1 - q) / (1 - t))^(count - failed)}, each of which does not grow in expectation as long as
 * requests fail independently at t or more.
 */
public final class Clearance {
    /** The chance that a canary over the limit is let on. */
    public static final double BETA = 0.05;

    private static final double[] FRACTIONS = {0, 1 / 8.0, 1 / 4.0, 1 / 2.0};

    private Clearance() {}

    /** Whether it is shown. Never for a limit of 0, which no number of requests can show, and always for one of 1. */
    public static boolean isShown(ErrorRate limit, Tally canary) {
        double t = limit.ppm() / 1e6;
        return t >= 1 || evidence(t, canary.count(), canary.failed()) >= 1 / BETA;
    }

    /** How many requests show it when none fails. {@link Long#MAX_VALUE} for a limit of 0. */
    public static long requestsNeeded(ErrorRate limit) {
        double t = limit.ppm() / 1e6;
        if (t <= 0) {
            return Long.MAX_VALUE;
        }
        long low = 0;
        long high = t >= 1 ? 0 : (long) Math.ceil(Math.log(4 / BETA) / -Math.log1p(-t)) + 1;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (evidence(t, middle, 0) >= 1 / BETA) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    static double evidence(double t, long count, long failed) {
        if (t <= 0 || t >= 1) {
            return 0;
        }
        double sum = 0;
        for (double fraction : FRACTIONS) {
            double bad = failed == 0 ? 0 : failed * Math.log(fraction);
            sum += Math.exp(bad + (count - failed) * (Math.log1p(-fraction * t) - Math.log1p(-t)));
        }
        return sum / FRACTIONS.length;
    }
}
