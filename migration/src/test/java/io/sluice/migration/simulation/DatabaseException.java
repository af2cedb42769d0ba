package io.sluice.migration.simulation;

/** A statement or a commit without an answer. */
final class DatabaseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean atCommit;

    DatabaseException(String message, boolean atCommit) {
        super(message);
        this.atCommit = atCommit;
    }

    /** Whether the commit was under way: then nobody knows what became of it. Otherwise it was rolled back. */
    boolean isAtCommit() {
        return atCommit;
    }
}
