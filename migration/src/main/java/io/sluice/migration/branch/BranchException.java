package io.sluice.migration.branch;

import org.jspecify.annotations.Nullable;

/** Why an operation has no result. Which kind it is decides what a router may do; messages are for people. */
public abstract sealed class BranchException extends RuntimeException
        permits NothingHappenedException, BusinessAnswerException, UnknownOutcomeException {
    private static final long serialVersionUID = 1L;

    BranchException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
