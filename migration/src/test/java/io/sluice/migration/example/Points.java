package io.sluice.migration.example;

import io.sluice.migration.branch.Branch;
import io.sluice.migration.branch.BusinessAnswerException;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.Versioned;

/** What both sides do: the points of a customer's account. The account is the key. */
interface Points extends Branch {
    /**
     * Spends points, once for each operation id.
     *
     * @return the points that were left
     */
    long spend(Grant grant, String operationId, long points);

    Versioned<Long> balance(Grant grant);

    final class NotEnoughPointsException extends BusinessAnswerException {
        private static final long serialVersionUID = 1L;

        NotEnoughPointsException(String account) {
            super("not enough points on account " + account);
        }
    }
}
