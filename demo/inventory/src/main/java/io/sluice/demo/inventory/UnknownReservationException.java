package io.sluice.demo.inventory;

import io.sluice.migration.branch.BusinessAnswerException;

/** There is no such reservation. */
public final class UnknownReservationException extends BusinessAnswerException {
    private static final long serialVersionUID = 1L;

    public UnknownReservationException(String reservationId) {
        super("unknown reservation: " + reservationId);
    }
}
