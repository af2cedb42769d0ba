package io.sluice.cli.terminal;

/** A command could not be carried out, through no fault of what was typed. The message is for the user, in one line. */
public final class CommandFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CommandFailedException(String message) {
        super(message);
    }
}
