package io.sluice.server.outbound;

/** Nothing was answered, or nothing that could be taken; the message says why, in a few words for people. */
public final class NoAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoAnswerException(String message) {
        super(message);
    }
}
