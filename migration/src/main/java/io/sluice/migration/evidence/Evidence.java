package io.sluice.migration.evidence;

import io.sluice.core.problem.Problems;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was seen of a migration, day by day.
 *
 * @param days by date, each date once; dates may be missing
 */
public record Evidence(List<EvidenceDay> days) {
    /**
     * Takes the days in any order.
     *
     * @throws io.sluice.core.problem.RefusedException when a date is there twice, with its place in the list given
     */
    public Evidence {
        Problems problems = new Problems();
        Set<LocalDate> seen = new HashSet<>();
        for (int i = 0; i < days.size(); i++) {
            LocalDate date = days.get(i).date();
            problems.require(seen.add(date), "days[" + i + "].date", date, "must be there once");
        }
        problems.throwIfAny();
        days = days.stream().sorted(Comparator.comparing(EvidenceDay::date)).toList();
    }

    /**
     * Puts together what several processes counted. A day is complete when it is over and somebody watched at each of
     * its instants, but for gaps of at most {@code longestGap}; who missed more than that in one go does not count as a
     * watcher of that day. When nobody counted anything yesterday, yesterday is there and is not complete, so that
     * evidence that has ended is not taken for evidence of now.
     *
     * @param counted of any number of processes and days, each process's last word on a day once
     * @param today by UTC
     */
    public static Evidence of(Collection<CountedDay> counted, Duration longestGap, LocalDate today) {
        SortedMap<LocalDate, List<CountedDay>> byDate = new TreeMap<>();
        counted.forEach(day ->
                byDate.computeIfAbsent(day.date(), date -> new ArrayList<>()).add(day));
        LocalDate yesterday = today.minusDays(1);
        if (!byDate.isEmpty() && byDate.lastKey().isBefore(yesterday)) {
            byDate.put(yesterday, List.of());
        }
        List<EvidenceDay> days = new ArrayList<>();
        byDate.forEach((date, parts) -> {
            Counts sum = parts.stream().map(CountedDay::counts).reduce(Counts.NONE, Counts::plus);
            boolean complete = date.isBefore(today) && Coverage.isWhole(date, parts, longestGap);
            days.add(new EvidenceDay(
                    date, sum.newSuccesses(), sum.fallbacks(), sum.shadowChecks(), sum.shadowDiffs(), complete));
        });
        return new Evidence(days);
    }

    /**
     * Holds the criteria against this evidence, all of them. Counts are summed over all days that are given, also those
     * before the unbroken ones, since a difference is not made good by time. Rates are compared without rounding. No
     * requests, no comparisons or no days are never enough, whatever the limits.
     *
     * <p>The window is the run of consecutive complete days up to the last day given. A last day that is not complete,
     * but is {@code today} or later, is still under way: it neither breaks the run nor counts. How old the last day is is
     * not looked at here: {@link #of} sees to that.
     *
     * @param today by UTC
     */
    public Readiness readiness(ExitCriteria criteria, LocalDate today) {
        return Readiness.of(this, criteria, today);
    }
}
