package io.sluice.wire.migration;

import io.sluice.core.problem.Problems;
import io.sluice.migration.move.Progress;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far a process is with moving keys.
 *
 * @param toMove keys that are not yet where the plan wants them
 * @param moved keys moved under this plan
 * @param handedBack keys that went back to legacy under this plan, since the new side was not there
 * @param frozen keys in the middle of a move
 * @param keysPerSecond how fast it was lately
 * @param secondsLeft an estimate; empty when there is none
 */
public record MoveProgress(
        long toMove,
        long moved,
        long handedBack,
        long frozen,
        long keysPerSecond,
        OptionalLong secondsLeft,
        State state) {
    /** @throws io.sluice.core.problem.RefusedException with every problem: negative numbers */
    public MoveProgress {
        Problems problems = new Problems();
        problems.require(toMove >= 0, "toMove", toMove, "must be 0 or more");
        problems.require(moved >= 0, "moved", moved, "must be 0 or more");
        problems.require(handedBack >= 0, "handedBack", handedBack, "must be 0 or more");
        problems.require(frozen >= 0, "frozen", frozen, "must be 0 or more");
        problems.require(keysPerSecond >= 0, "keysPerSecond", keysPerSecond, "must be 0 or more");
        problems.require(secondsLeft.orElse(0) >= 0, "secondsLeft", secondsLeft.orElse(0), "must be 0 or more");
        problems.throwIfAny();
    }

    /**
     * What {@code Moves.progress()} says, as it is told:
     *
     * <pre>{@code
     * MigrationReporter.builder(...).progress(() -> MoveProgress.of(moves.progress()))
     * }</pre>
     *
     * @return empty as long as the mover has read no plan, since then there is nothing to tell
     */
    public static Optional<MoveProgress> of(Progress progress) {
        if (progress.planRevision() == 0) {
            return Optional.empty();
        }
        return Optional.of(new MoveProgress(
                progress.toMove(),
                progress.moved(),
                progress.handedBack(),
                progress.frozen(),
                Math.round(progress.keysPerSecond()),
                progress.secondsLeft(),
                switch (progress.state()) {
                    case MOVING -> State.MOVING;
                    case PAUSED -> State.PAUSED;
                    case DONE -> State.DONE;
                }));
    }

    /** What the mover does. */
    public enum State {
        MOVING("moving"),
        PAUSED("paused"),
        DONE("done");

        private final String label;

        State(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }
}
