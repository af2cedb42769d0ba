package io.sluice.demo.inventory;

import io.sluice.migration.branch.BusinessAnswerException;

/** The id of this operation stands for something else: another request, another SKU. */
public final class OperationIdUsedException extends BusinessAnswerException {
    private static final long serialVersionUID = 1L;

    public OperationIdUsedException(String operationId) {
        super("operation id used for something else: " + operationId);
    }
}
