package io.sluice.cli.demo.process;

/** A process of the demo ended, or never became ready; the message says which and shows its last lines. */
public final class ProcessFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ProcessFailedException(String message) {
        super(message);
    }
}
