package io.sluice.server.migrations;

import io.sluice.core.problem.Problem;

/** There is no migration of that name. */
public final class UnknownMigrationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnknownMigrationException(String name) {
        super("there is no migration " + Problem.printable(name));
    }
}
