package io.sluice.migration.move;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How far the moves of one process have come with the plan of now. A snapshot.
 *
 * @param planRevision the plan that it is about; 0 before one was read
 * @param toMove keys that are not yet where the plan wants them, those handed back left out; as counted last and less those
 *     that were moved since. Grows while they are being counted
 * @param moved keys that this process has moved under this plan
 * @param handedBack keys that a router has given back to legacy under this plan, and that stay there until the next one
 * @param frozen keys that nobody can write right now, whoever moves them, up to {@value Moves#MOST_FROZEN}
 * @param failed keys whose last try failed or met a write that did not end; they are tried again
 * @param keysPerSecond keys moved a second, over the last ten seconds
 * @param secondsLeft what is left at that rate; empty while that can't be said: still counting, paused, nothing moving
 * @param state what goes on
 * @param troubles some of the failed keys, with the reason
 * @param problem why nothing at all goes on, if so
 */
public record Progress(
        long planRevision,
        long toMove,
        long moved,
        long handedBack,
        long frozen,
        long failed,
        double keysPerSecond,
        OptionalLong secondsLeft,
        State state,
        List<Trouble> troubles,
        Optional<String> problem) {
    public Progress {
        troubles = List.copyOf(troubles);
    }

    /** Before anything is known. */
    static final Progress NOTHING_KNOWN =
            of(0, 0, 0, 0, 0, 0, OptionalDouble.empty(), State.PAUSED, List.of(), Optional.of("no plan was read yet"));

    static Progress of(
            long planRevision,
            long toMove,
            long moved,
            long handedBack,
            long frozen,
            long failed,
            OptionalDouble keysPerSecond,
            State state,
            List<Trouble> troubles,
            Optional<String> problem) {
        double rate = keysPerSecond.orElse(0);
        boolean canTell = state == State.DONE || (state == State.MOVING && rate > 0);
        OptionalLong left = !canTell
                ? OptionalLong.empty()
                : OptionalLong.of(state == State.DONE ? 0 : (long) Math.ceil(toMove / rate));
        return new Progress(
                planRevision, toMove, moved, handedBack, frozen, failed, rate, left, state, troubles, problem);
    }

    public enum State {
        MOVING,
        /** By the pace, or because no plan was read yet. */
        PAUSED,
        /** Every key is where the plan wants it, or was handed back. It goes on looking for new ones. */
        DONE;

        /** How it is written on the wire and on the console. */
        public String label() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /**
     * A key that could not be moved yet.
     *
     * @param reason for people
     * @param tries how often it was tried under this plan
     */
    public record Trouble(String key, String reason, int tries) {}
}
