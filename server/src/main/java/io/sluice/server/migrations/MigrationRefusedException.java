package io.sluice.server.migrations;

/** Something cannot be done to a migration as it stands. Nothing happened. */
public final class MigrationRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MigrationRefusedException(String message) {
        super(message);
    }
}
