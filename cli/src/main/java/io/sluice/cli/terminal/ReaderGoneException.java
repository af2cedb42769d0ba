package io.sluice.cli.terminal;

import java.io.IOException;

/** Whoever read our standard output has gone, as {@code head} does when it has enough. Not an error: we stop too. */
public final class ReaderGoneException extends IOException {
    private static final long serialVersionUID = 1L;

    ReaderGoneException(IOException cause) {
        super(cause);
    }
}
