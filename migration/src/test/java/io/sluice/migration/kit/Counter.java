package io.sluice.migration.kit;

import io.sluice.migration.branch.Branch;
import io.sluice.migration.branch.BusinessAnswerException;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.Versioned;

/** The smallest branch that has everything: counts up, takes single counts back, has a top. */
interface Counter extends Branch {
    /** @return the count behind it */
    long up(Grant grant, String operationId, long by);

    /** @return the count behind it */
    long takeBack(Grant grant, String operationId, String upId);

    Versioned<Long> count(Grant grant);

    final class NoException extends BusinessAnswerException {
        private static final long serialVersionUID = 1L;

        NoException(String message) {
            super(message);
        }
    }
}
