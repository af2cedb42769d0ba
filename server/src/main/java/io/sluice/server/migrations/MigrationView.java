package io.sluice.server.migrations;

import io.sluice.migration.evidence.Evidence;
import io.sluice.migration.evidence.EvidenceDay;
import io.sluice.migration.evidence.Readiness;
import io.sluice.migration.plan.Directive;
import io.sluice.server.migrations.MigrationStore.Row;
import io.sluice.wire.migration.MoveProgress;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A migration, as operators see it.
 *
 * @param observedSince the first day whose evidence counts (UTC)
 * @param behind processes that route by an older plan
 * @param progress of the mover that was heard last with work left; null when nobody moves keys
 * @param unmet by the default criteria; {@code /readiness} takes others
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
        List<String> unmet) {

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
                readiness.unmet());
    }

    /** Movers may share the work; each sees all that is left, so the one that was heard last knows best. */
    private static @Nullable Progress progress(List<Movers.Process> processes) {
        return processes.stream()
                .filter(each -> each.progress().isPresent())
                .min(Comparator.comparing(Movers.Process::unheard))
                .flatMap(Movers.Process::progress)
                .map(Progress::of)
                .orElse(null);
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
        static Progress of(MoveProgress progress) {
            return new Progress(
                    progress.state().label(),
                    progress.toMove(),
                    progress.moved(),
                    progress.handedBack(),
                    progress.frozen(),
                    progress.keysPerSecond(),
                    progress.secondsLeft().isPresent() ? progress.secondsLeft().getAsLong() : null);
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
