package io.sluice.demo.inventory;

import io.sluice.migration.branch.BusinessAnswerException;

/** Another release has given this reservation back. */
public final class AlreadyReleasedException extends BusinessAnswerException {
    private static final long serialVersionUID = 1L;

    public AlreadyReleasedException(String reservationId) {
        super("already released: " + reservationId);
    }
}
