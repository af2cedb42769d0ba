package io.sluice.server.channels;

import io.sluice.core.problem.Problem;

/** There is no channel of that name. */
public final class UnknownChannelException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnknownChannelException(String id) {
        super("there is no channel " + Problem.printable(id));
    }
}
