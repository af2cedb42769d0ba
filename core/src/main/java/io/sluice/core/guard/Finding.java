package io.sluice.core.guard;

import java.util.Locale;

/**
 * What one metric says, with its numbers.
 *
 * @param reporter who saw it: a service, an edge or a metric source
 * @param metric the metric's name
 * @param critical whether it counts in the verdict; otherwise it is only shown
 * @param health what it comes to
 * @param reason why, with the numbers that decided
 * @param counts how many were compared; nothing where a metric is one number
 * @param value the evidence of a comparison, or the number that a source gave; NaN when there is none
 * @param limit what the value is held against
 */
public record Finding(
        String reporter,
        String metric,
        boolean critical,
        Health health,
        String reason,
        Tick counts,
        double value,
        double limit) {
    private static final double MILLION = 1e6;
    private static final double BILLION = 1e9;

    /** What a comparison says, with the numbers since its evidence began to rise where they accuse canary. */
    static Finding of(String reporter, String metric, boolean critical, Comparison comparison, double alpha) {
        double evidence = comparison.detector().evidence();
        double limit = 1 / alpha;
        boolean worse = comparison.isWorse(alpha);
        String reason = worse ? accusation(metric, evidence, limit, comparison.rising()) : numbers(comparison.counts());
        Health health = worse ? Health.BREACH : Health.HEALTHY;
        return new Finding(reporter, metric, critical, health, reason, comparison.counts(), evidence, limit);
    }

    /** That canary is worse, in the words of a reason: {@code errors x9.6 of stable, evidence 2214 >= 2000 (...)}. */
    public static String accusation(String metric, double evidence, double limit, Tick counts) {
        return metric + " " + ratio(counts) + ", evidence " + number(evidence) + " >= " + number(limit) + " ("
                + numbers(counts) + ")";
    }

    private static String ratio(Tick tick) {
        if (tick.stableBad() == 0) {
            return "where stable has none";
        }
        double ratio = tick.canaryRate() / tick.stableRate();
        return String.format(Locale.ROOT, ratio < 2 ? "x%.2f of stable" : "x%.1f of stable", ratio);
    }

    /** The counts of both lanes: {@code canary 12/310, stable 40/9870}. */
    public static String numbers(Tick tick) {
        return "canary " + tick.canaryBad() + "/" + tick.canary() + ", stable " + tick.stableBad() + "/"
                + tick.stable();
    }

    /** Without an exponent; from a million on only the magnitude means anything. */
    private static String number(double value) {
        if (value < MILLION) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        return value < BILLION ? (long) (value / MILLION) + " million" : "over a billion";
    }
}
