package io.sluice.core.guard;

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
        double limit) {}
