package io.sluice.server.releases;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.core.decision.Percent;
import io.sluice.server.audit.Journal;
import io.sluice.server.audit.JournalView;
import io.sluice.server.audit.JournalView.FindingView;
import io.sluice.server.audit.JournalView.VerdictView;
import io.sluice.server.channels.ChannelReleaseView;
import io.sluice.server.ledger.ShownRelease;
import io.sluice.server.ledger.StepRecord;
import io.sluice.server.observations.EvidenceCurve;
import io.sluice.server.observations.Tallies;
import io.swagger.v3.oas.annotations.media.Schema;
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
record ReleaseReport(
        @Schema(oneOf = {ReleaseView.class, ChannelReleaseView.class})
        ShownRelease release,

        List<Stage> stages,
        List<JournalView.Entry> journal,
        String outcome) {
    static ReleaseReport of(
            ShownRelease release,
            List<StepRecord.Line> steps,
            List<Journal.Line> journal,
            LongFunction<Map<String, Tallies>> seen,
            LongFunction<List<EvidenceCurve>> evidence,
            Collection<String> services) {
        List<JournalView.Entry> entries =
                journal.stream().map(JournalView.Entry::of).toList();
        List<Stage> stages = steps.stream()
                .map(step -> Stage.of(
                        step,
                        front(seen.apply(step.step()), services),
                        verdict(step, entries),
                        evidence.apply(step.step())))
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
     * @param verdict the last that was written down, with what the metrics said last
     * @param evidence how each metric went
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
            @Nullable VerdictView verdict,
            List<Evidence> evidence) {
        static Stage of(
                StepRecord.Line step, Tallies front, @Nullable VerdictView verdict, List<EvidenceCurve> curves) {
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
                    verdict == null
                            ? null
                            : verdict.with(curves.stream()
                                    .map(curve -> FindingView.of(curve.last()))
                                    .toList()),
                    curves.stream().map(Evidence::of).toList());
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

    /**
     * How the evidence of one metric went.
     *
     * @param value the last; null when there was none
     * @param points seconds since the stage began, and the value then
     */
    record Evidence(
            String reporter,
            String metric,
            boolean critical,

            @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
            Double limit,

            long canary,
            long canaryBad,
            long stable,
            long stableBad,

            @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
            Double value,

            List<List<Number>> points) {
        static Evidence of(EvidenceCurve curve) {
            FindingView last = FindingView.of(curve.last());
            return new Evidence(
                    last.reporter(),
                    last.metric(),
                    last.critical(),
                    last.limit(),
                    last.canary(),
                    last.canaryBad(),
                    last.stable(),
                    last.stableBad(),
                    last.value(),
                    curve.points().stream().map(Evidence::point).toList());
        }

        private static List<Number> point(EvidenceCurve.Point point) {
            return List.of(point.second(), Objects.requireNonNull(FindingView.number(point.value())));
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
