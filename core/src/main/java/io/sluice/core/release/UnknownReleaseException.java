package io.sluice.core.release;

/** No release has that id. */
public final class UnknownReleaseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnknownReleaseException(String id) {
        super("there is no release " + id);
    }
}
