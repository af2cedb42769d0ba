package io.sluice.migration.branch;

/** Neither side knows an operation with this id: it is misspelt, forged, or has never happened. Nothing was changed. */
public final class UnknownOperationException extends BusinessAnswerException {
    private static final long serialVersionUID = 1L;

    private final String operationId;

    public UnknownOperationException(String operationId) {
        super("no operation " + operationId + " is known on either side");
        this.operationId = operationId;
    }

    public String operationId() {
        return operationId;
    }
}
