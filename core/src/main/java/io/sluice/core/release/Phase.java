package io.sluice.core.release;

import io.sluice.core.decision.Percent;
import java.time.Duration;

/**
 * Where a release stands. Each phase says what may come next; a transition that it does not allow is refused with the
 * ones that it does. {@code Aborted} has no way out.
 */
public sealed interface Phase {
    /** The word for it in files, the API and the console. */
    String label();

    /** The share that canary has in this phase. */
    Percent percent(Plan plan);

    /** Whether requests of canary customers go to canary. */
    default boolean isLive() {
        return false;
    }

    /** Whether nothing more happens by itself and its services are free for another release. */
    default boolean isOver() {
        return false;
    }

    /** The index of the stage that it is on; -1 on none. */
    default int stage() {
        return -1;
    }

    /** What an operator may say now, for error messages. */
    String allowed();

    /** After an operator's command; the same phase when there is nothing to do. */
    default Phase on(Command command, Plan plan, String why) {
        throw new CommandRefusedException(command, this);
    }

    /** Created, not started: no request knows of it. */
    record Draft() implements Phase {
        @Override
        public String label() {
            return "draft";
        }

        @Override
        public Percent percent(Plan plan) {
            return Percent.ZERO;
        }

        @Override
        public String allowed() {
            return "start or abort";
        }

        @Override
        public Phase on(Command command, Plan plan, String why) {
            return switch (command) {
                case START -> new Ramping(0, Duration.ZERO);
                case ABORT -> new Aborted(why);
                default -> Phase.super.on(command, plan, why);
            };
        }
    }

    /**
     * On a stage, watched.
     *
     * @param stage the index in the plan
     * @param held how long it was watched here, beyond the hold time too while it is on hold; time in which nobody watched
     *     does not count
     */
    record Ramping(int stage, Duration held) implements Phase {
        @Override
        public String label() {
            return "ramping";
        }

        @Override
        public Percent percent(Plan plan) {
            return plan.stages().get(stage).percent();
        }

        @Override
        public boolean isLive() {
            return true;
        }

        @Override
        public String allowed() {
            return "pause, promote, back or abort";
        }

        @Override
        public Phase on(Command command, Plan plan, String why) {
            return switch (command) {
                case START, RESUME -> this;
                case PAUSE -> new Paused(stage, held, why);
                case PROMOTE -> next(plan);
                case BACK -> stepBack(stage, command, this, why);
                case ABORT -> new Aborted(why);
            };
        }

        Ramping heldFor(Duration longer) {
            return new Ramping(stage, held.plus(longer));
        }

        boolean isHeldOut(Plan plan) {
            return held.compareTo(plan.stages().get(stage).hold()) >= 0;
        }

        boolean isOnHoldTooLong(Plan plan) {
            Duration longest =
                    plan.stages().get(stage).hold().plus(plan.policy().holdLimit());
            return held.compareTo(longest) >= 0;
        }

        Phase next(Plan plan) {
            return plan.isLast(stage) ? new Completed() : new Ramping(stage + 1, Duration.ZERO);
        }
    }

    /** On a stage, standing still until somebody resumes it. The guard goes on watching, and may abort or step back. */
    record Paused(int stage, Duration held, String why) implements Phase {
        @Override
        public String label() {
            return "paused";
        }

        @Override
        public Percent percent(Plan plan) {
            return plan.stages().get(stage).percent();
        }

        @Override
        public boolean isLive() {
            return true;
        }

        @Override
        public String allowed() {
            return "resume, promote, back or abort";
        }

        @Override
        public Phase on(Command command, Plan plan, String reason) {
            return switch (command) {
                case START -> Phase.super.on(command, plan, reason);
                case PAUSE -> this;
                case RESUME -> resumed(plan);
                case PROMOTE -> new Ramping(stage, held).next(plan);
                case BACK -> stepBack(stage, command, this, reason);
                case ABORT -> new Aborted(reason);
            };
        }

        /** What was served of the hold time stays served; what it was on hold beyond that is forgiven. */
        private Ramping resumed(Plan plan) {
            Duration hold = plan.stages().get(stage).hold();
            return new Ramping(stage, held.compareTo(hold) > 0 ? hold : held);
        }
    }

    /**
     * The last stage was held. Everybody stays on canary until the next release of one of its services starts; by then
     * the stable instances should run the new version.
     */
    record Completed() implements Phase {
        @Override
        public String label() {
            return "completed";
        }

        @Override
        public Percent percent(Plan plan) {
            return Percent.HUNDRED;
        }

        @Override
        public boolean isLive() {
            return true;
        }

        @Override
        public boolean isOver() {
            return true;
        }

        @Override
        public String allowed() {
            return "abort, as long as the stable instances still run the old version";
        }

        @Override
        public Phase on(Command command, Plan plan, String why) {
            return command == Command.ABORT ? new Aborted(why) : Phase.super.on(command, plan, why);
        }
    }

    /** Taken back: everybody is stable. Absorbing; the first reason stays. */
    record Aborted(String why) implements Phase {
        @Override
        public String label() {
            return "aborted";
        }

        @Override
        public Percent percent(Plan plan) {
            return Percent.ZERO;
        }

        @Override
        public boolean isOver() {
            return true;
        }

        @Override
        public String allowed() {
            return "nothing: an abort is final, and another attempt is a new release with its own id";
        }

        @Override
        public Phase on(Command command, Plan plan, String reason) {
            return command == Command.ABORT ? this : Phase.super.on(command, plan, reason);
        }
    }

    private static Phase stepBack(int stage, Command command, Phase from, String why) {
        if (stage == 0) {
            throw new CommandRefusedException(command, from, "it is on its first stage: pause or abort it");
        }
        return new Paused(stage - 1, Duration.ZERO, why);
    }
}
