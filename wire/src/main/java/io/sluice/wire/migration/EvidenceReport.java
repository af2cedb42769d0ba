package io.sluice.wire.migration;

import io.sluice.core.problem.Problems;
import io.sluice.core.rule.Names;
import io.sluice.migration.evidence.CountedDay;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What one router process tells the server of one migration every two seconds.
 *
 * @param reporter names this run of the process, another one after a restart, like {@code inventory@10.0.0.7:4711-1796025600}:
 *     a later report of the same name replaces an earlier one, those of different names are added up
 * @param planRevision of the plan by which it routes, 0 when it has none
 * @param directiveVersion of the directive that it has taken, 0 for none, so that the server need not answer the same again
 * @param days of which it has something new to tell, each date once, at most {@value #MOST_DAYS}
 * @param progress of its mover; empty when it moves nothing
 * @param differences that were not confirmed yet, at most {@value #MOST_DIFFERENCES}
 */
public record EvidenceReport(
        String reporter,
        long planRevision,
        long directiveVersion,
        List<CountedDay> days,
        Optional<MoveProgress> progress,
        List<ReportedDifference> differences) {
    public static final int MOST_DAYS = 64;
    public static final int MOST_DIFFERENCES = 100;

    /** @throws io.sluice.core.problem.RefusedException with every problem */
    public EvidenceReport {
        days = List.copyOf(days);
        differences = List.copyOf(differences);
        Problems problems = new Problems();
        problems.part("reporter", () -> Names.requireInstance(reporter));
        problems.require(planRevision >= 0, "planRevision", planRevision, "must be 0 or more");
        problems.require(directiveVersion >= 0, "directiveVersion", directiveVersion, "must be 0 or more");
        problems.require(days.size() <= MOST_DAYS, "days", days.size() + " days", "must be at most " + MOST_DAYS);
        requireDatesOnce(days, problems);
        problems.require(
                differences.size() <= MOST_DIFFERENCES,
                "differences",
                differences.size() + " differences",
                "must be at most " + MOST_DIFFERENCES);
        problems.throwIfAny();
    }

    private static void requireDatesOnce(List<CountedDay> days, Problems problems) {
        Set<LocalDate> dates = new HashSet<>();
        for (int i = 0; i < days.size(); i++) {
            LocalDate date = days.get(i).date();
            problems.require(dates.add(date), "days[" + i + "].date", date, "must be there once");
        }
    }
}
