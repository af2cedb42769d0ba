package io.sluice.demo.inventory;

import io.sluice.migration.branch.BusinessAnswerException;

/** Somebody has asked what became of this operation and was told that it will not happen. */
public final class OperationCancelledException extends BusinessAnswerException {
    private static final long serialVersionUID = 1L;

    public OperationCancelledException(String operationId) {
        super("operation cancelled: " + operationId);
    }
}
