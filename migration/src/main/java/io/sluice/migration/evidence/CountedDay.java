package io.sluice.migration.evidence;

import io.sluice.core.problem.Problems;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * What one process has counted on one day (UTC) since it started. A later word of the same process on the same day
 * replaces an earlier one, so it may be told any number of times.
 *
 * @param from since when it watched, within the day
 * @param until up to when it watched, within the day or at its end, which is the next midnight
 * @param longestGap within these, the longest time in which it did not look at its clock: a process that was suspended
 *     watched nothing
 */
public record CountedDay(LocalDate date, Instant from, Instant until, Duration longestGap, Counts counts) {
    /** @throws io.sluice.core.problem.RefusedException with every problem: instants outside the day, an end before the start */
    public CountedDay {
        Problems problems = new Problems();
        EvidenceDay.requireDate(date, problems);
        Instant start = startOf(date);
        Instant end = endOf(date);
        problems.require(!from.isBefore(start) && !from.isAfter(end), "from", from, "must be within " + date);
        problems.require(
                !until.isBefore(from) && !until.isAfter(end),
                "until",
                until,
                "must be within " + date + ", not before from");
        problems.require(
                !longestGap.isNegative() && longestGap.compareTo(Duration.ofDays(1)) <= 0,
                "longestGap",
                longestGap,
                "must be within 0s..1d");
        problems.throwIfAny();
    }

    static Instant startOf(LocalDate date) {
        return date.atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    /** The next midnight, the first instant that is not the day's. */
    static Instant endOf(LocalDate date) {
        return startOf(date).plus(Duration.ofDays(1));
    }
}
