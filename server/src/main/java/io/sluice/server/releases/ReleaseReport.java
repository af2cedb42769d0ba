package io.sluice.server.releases;

import io.sluice.core.decision.Percent;
import io.sluice.server.audit.Journal;
import io.sluice.server.audit.JournalView;
import io.sluice.server.audit.JournalView.VerdictView;
import io.sluice.server.observations.Tallies;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** What became of a release: its stages with what was asked and what was achieved, and its journal. */
record ReleaseReport(ReleaseView release, List<Stage> stages, List<JournalView.Entry> journal, String outcome) {
    static ReleaseReport of(
            ReleaseView release,
            List<StepRecord.Line> steps,
            List<Journal.Line> journal,
            LongFunction<Map<String, Tallies>> seen,
            Collection<String> services) {
        List<JournalView.Entry> entries =
                journal.stream().map(JournalView.Entry::of).toList();
        List<Stage> stages = steps.stream()
                .map(step -> Stage.of(step, front(seen.apply(step.step()), services), verdict(step, entries)))
                .toList();
        boolean over = release.phase().equals("completed") || release.phase().equals("aborted");
        return new ReleaseReport(release, stages, entries, over ? release.phase() : "running");
    }

    /**
     * A weight that the release has had.
     *
     * @param canary requests to canary, counted where requests come in
     * @param achievedPercent canary's share of them; null without requests
     * @param errorPp how far that is from what was asked, in percentage points
     */
    record Stage(
            long step,
            BigDecimal percent,
            Instant enteredAt,
            @Nullable Instant leftAt,
            long watchedMillis,
            long canary,
            long stable,
            @Nullable BigDecimal achievedPercent,
            BigDecimal askedPercent,
            @Nullable BigDecimal errorPp,
            long failed,
            long p99Millis,
            @Nullable VerdictView verdict) {
        static Stage of(StepRecord.Line step, Tallies front, @Nullable VerdictView verdict) {
            BigDecimal asked = number(step.percent());
            BigDecimal achieved = achieved(front);
            return new Stage(
                    step.step(),
                    asked,
                    step.enteredAt(),
                    step.leftAt(),
                    step.watched().toMillis(),
                    front.canary().count(),
                    front.stable().count(),
                    achieved,
                    asked,
                    achieved == null ? null : achieved.subtract(asked).abs(),
                    front.canary().failed(),
                    front.canary().quantile(99).toMillis(),
                    verdict);
        }

        private static @Nullable BigDecimal achieved(Tallies front) {
            return front.requests() == 0
                    ? null
                    : BigDecimal.valueOf(front.canary().count())
                            .movePointRight(2)
                            .divide(BigDecimal.valueOf(front.requests()), 3, RoundingMode.HALF_UP);
        }

        private static BigDecimal number(Percent percent) {
            return new BigDecimal(percent.number());
        }
    }

    /** What the edges saw together; where no edge reports, the service that most requests came to. */
    private static Tallies front(Map<String, Tallies> seen, Collection<String> services) {
        Tallies edges = seen.entrySet().stream()
                .filter(entry -> !services.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .reduce(Tallies.NOTHING, Tallies::merge);
        return edges.requests() > 0
                ? edges
                : seen.values().stream()
                        .max(Comparator.comparingLong(Tallies::requests))
                        .orElse(Tallies.NOTHING);
    }

    private static @Nullable VerdictView verdict(StepRecord.Line step, List<JournalView.Entry> journal) {
        return journal.stream()
                .filter(entry -> Objects.equals(entry.seq(), step.verdictEntry()))
                .map(JournalView.Entry::verdict)
                .findFirst()
                .orElse(null);
    }
}
