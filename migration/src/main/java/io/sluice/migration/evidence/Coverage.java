package io.sluice.migration.evidence;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;

/** Whether the watchers of a day saw all of it. */
final class Coverage {
    private Coverage() {}

    /** Whether there is no stretch of the day longer than {@code longestGap} at which nobody watched. */
    static boolean isWhole(LocalDate date, List<CountedDay> parts, Duration longestGap) {
        List<CountedDay> watchers = parts.stream()
                .filter(part -> part.longestGap().compareTo(longestGap) <= 0)
                .sorted(Comparator.comparing(CountedDay::from))
                .toList();
        Instant seenUntil = CountedDay.startOf(date);
        for (CountedDay watcher : watchers) {
            if (isTooLong(seenUntil, watcher.from(), longestGap)) {
                return false;
            }
            seenUntil = watcher.until().isAfter(seenUntil) ? watcher.until() : seenUntil;
        }
        return !watchers.isEmpty() && !isTooLong(seenUntil, CountedDay.endOf(date), longestGap);
    }

    private static boolean isTooLong(Instant from, Instant until, Duration longestGap) {
        return Duration.between(from, until).compareTo(longestGap) > 0;
    }
}
