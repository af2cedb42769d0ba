package io.sluice.server.migrations;

import io.sluice.migration.evidence.Evidence;
import io.sluice.migration.evidence.EvidenceDay;
import io.sluice.migration.evidence.Readiness;
import io.sluice.migration.plan.Directive;
import io.sluice.server.migrations.MigrationStore.Row;
import io.sluice.wire.migration.MoveProgress;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A migration, as operators see it.
 *
 * @param observedSince the first day whose evidence counts (UTC)
 * @param behind processes that route by an older plan
 * @param progress of all movers; null when nobody moves keys
 * @param unmet by the default criteria; {@code /readiness} takes others
 * @param conditions all of these criteria
 */
record MigrationView(
        String name,
        long version,
        long revision,
        int newPercent,
        List<String> alsoNew,
        List<String> heldBack,
        int keysPerSecond,
        boolean paused,
        String observedSince,
        int behind,
        @Nullable Progress progress,
        List<ProcessView> processes,
        List<Day> days,
        boolean ready,
        List<String> unmet,
        List<ConditionView> conditions) {

    static MigrationView of(Row row, List<Movers.Process> processes, Evidence evidence, Readiness readiness) {
        Directive directive = row.directive();
        long revision = directive.plan().revision();
        return new MigrationView(
                directive.plan().migration(),
                directive.version(),
                revision,
                directive.plan().newPercent(),
                List.copyOf(new TreeSet<>(directive.plan().alsoNew())),
                List.copyOf(new TreeSet<>(directive.plan().heldBack())),
                directive.pace().keysPerSecond(),
                directive.pace().isPaused(),
                row.observedSince().toString(),
                (int) processes.stream()
                        .filter(each -> each.planRevision() < revision)
                        .count(),
                progress(processes),
                processes.stream().map(ProcessView::of).toList(),
                evidence.days().stream().map(Day::of).toList(),
                readiness.isReady(),
                readiness.unmet(),
                ConditionView.all(readiness));
    }

    /**
     * Movers may share the work. Each sees all that is left, so the one that was heard last knows best; what was moved and
     * how fast is the sum of those that move under the same plan.
     */
    private static @Nullable Progress progress(List<Movers.Process> processes) {
        List<Movers.Process> movers =
                processes.stream().filter(each -> each.progress().isPresent()).toList();
        Movers.@Nullable Process last = movers.stream()
                .min(Comparator.comparing(Movers.Process::unheard))
                .orElse(null);
        if (last == null) {
            return null;
        }
        List<Movers.Process> together = movers.stream()
                .filter(each -> each.planRevision() == last.planRevision())
                .toList();
        long moved = sum(together.stream(), MoveProgress::moved);
        long rate = sum(together.stream().filter(Movers.Process::reached), MoveProgress::keysPerSecond);
        return Progress.of(last.progress().orElseThrow(), moved, rate);
    }

    private static long sum(Stream<Movers.Process> movers, ToLongFunction<MoveProgress> count) {
        // A thousand processes at most, each below 2^53.
        return movers.flatMap(each -> each.progress().stream()).mapToLong(count).sum();
    }

    /** @param secondsLeft null when there is no estimate */
    record Progress(
            String state,
            long toMove,
            long moved,
            long handedBack,
            long frozen,
            long keysPerSecond,
            @Nullable Long secondsLeft) {
        static Progress of(MoveProgress last, long moved, long keysPerSecond) {
            boolean isMoving = last.state() == MoveProgress.State.MOVING;
            // Rounded up, as a mover does of its own.
            long seconds = keysPerSecond == 0 ? 0 : (last.toMove() + keysPerSecond - 1) / keysPerSecond;
            return new Progress(
                    last.state().label(),
                    last.toMove(),
                    moved,
                    last.handedBack(),
                    last.frozen(),
                    keysPerSecond,
                    isMoving && keysPerSecond > 0 && last.secondsLeft().isPresent() ? (Long) seconds : null);
        }
    }

    /**
     * One of the exit criteria.
     *
     * @param seen rates in bps, rounded up; null when there is nothing to count
     */
    record ConditionView(
            String criterion,
            boolean met,
            @Nullable BigDecimal seen,
            long limit,
            @Nullable String unmet) {
        static List<ConditionView> all(Readiness readiness) {
            return readiness.conditions().stream()
                    .map(each -> new ConditionView(
                            each.criterion(),
                            each.isMet(),
                            each.seen().orElse(null),
                            each.limit(),
                            each.unmet().orElse(null)))
                    .toList();
        }
    }

    record ProcessView(String reporter, long planRevision, long directiveVersion, boolean reached, long unheardMillis) {
        static ProcessView of(Movers.Process process) {
            return new ProcessView(
                    process.reporter(),
                    process.planRevision(),
                    process.directiveVersion(),
                    process.reached(),
                    process.unheard().toMillis());
        }
    }

    record Day(String date, long newSuccesses, long fallbacks, long shadowChecks, long shadowDiffs, boolean complete) {
        static Day of(EvidenceDay day) {
            return new Day(
                    day.date().toString(),
                    day.newSuccesses(),
                    day.fallbacks(),
                    day.shadowChecks(),
                    day.shadowDiffs(),
                    day.complete());
        }
    }
}
