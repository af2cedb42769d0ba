package io.sluice.migration.ledger;

/** The database that holds the ledgers can't be read now; what was asked may be fine. The message is for people. */
public final class UnreadableLedgerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableLedgerException(String message, Throwable cause) {
        super(message, cause);
    }
}
