package io.sluice.migration.branch;

import org.jspecify.annotations.Nullable;

/**
 * A write may have happened: a time-out, a connection that broke behind the request. A router never falls back, since
 * that could do it twice. {@link #operationId()} is what to ask {@link Branch#outcome} about, or the write is sent again
 * with the same id.
 */
public final class UnknownOutcomeException extends BranchException {
    private static final long serialVersionUID = 1L;

    private final String operationId;

    public UnknownOutcomeException(String operationId, @Nullable Throwable cause) {
        super(
                "the outcome of operation " + operationId + " is unknown: ask for it, or send it again with this id",
                cause);
        this.operationId = operationId;
    }

    public String operationId() {
        return operationId;
    }
}
