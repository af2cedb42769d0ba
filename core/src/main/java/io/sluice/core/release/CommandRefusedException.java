package io.sluice.core.release;

/** A command that does not fit the release as it stands. Nothing happened. */
public final class CommandRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommandRefusedException(Command command, Phase phase) {
        this(command, phase, "what it takes now: " + phase.allowed());
    }

    CommandRefusedException(Command command, Phase phase, String allowed) {
        super("cannot " + command.label() + " a release that is " + phase.label() + "; " + allowed);
    }

    public CommandRefusedException(String message) {
        super(message);
    }
}
