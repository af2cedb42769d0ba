package io.sluice.migration.branch;

/**
 * The side has understood and says no: out of stock, already released, unknown. Nothing was changed, and the other side
 * would have to say the same, so a router never falls back. Users extend it.
 */
public non-sealed class BusinessAnswerException extends BranchException {
    private static final long serialVersionUID = 1L;

    public BusinessAnswerException(String message) {
        super(message, null);
    }
}
