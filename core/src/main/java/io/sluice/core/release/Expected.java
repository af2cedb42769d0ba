package io.sluice.core.release;

import org.jspecify.annotations.Nullable;

/**
 * What an operator saw of a release before commanding it, so that a command does not hit what came meanwhile.
 *
 * @param step its step; null for any
 * @param phase the word of its phase; null for any
 */
public record Expected(@Nullable Long step, @Nullable String phase) {
    private static final Expected ANYTHING = new Expected(null, null);

    /** Whatever is there. */
    public static Expected anything() {
        return ANYTHING;
    }

    /**
     * Refuses a command to a release that stands elsewhere. An abort is right everywhere.
     *
     * @throws CommandRefusedException when it does
     */
    public void requireMet(Command command, String id, long stepNow, String phaseNow) {
        if (command == Command.ABORT) {
            return;
        }
        if (step != null && step != stepNow) {
            throw new CommandRefusedException("cannot " + command.label() + " release " + id + " at step " + step
                    + ": it is at step " + stepNow + " now; look again");
        }
        if (phase != null && !phase.equals(phaseNow)) {
            throw new CommandRefusedException("cannot " + command.label() + " release " + id + " while it is " + phase
                    + ": it is " + phaseNow + " now; look again");
        }
    }
}
