package io.sluice.demo.inventory;

import io.sluice.migration.plan.Side;
import org.jspecify.annotations.Nullable;

/**
 * A reservation as a ledger has it.
 *
 * @param quantity 0 for an operation that was given up
 * @param madeBy the side that made it: it stays when the SKU moves, so that the answer stays
 * @param releaseId the operation that has released it
 */
record Entry(
        String id,
        String sku,
        String orderId,
        int quantity,
        Status status,
        Side madeBy,
        @Nullable String releaseId) {
    enum Status {
        RESERVED,
        RELEASED,
        /** An operation of this id never happened, and never will. */
        CANCELLED
    }

    boolean isOf(ReserveRequest request) {
        return orderId.equals(request.orderId())
                && sku.equals(request.sku())
                && quantity == request.quantity()
                && id.equals(request.reservationId());
    }

    Reservation reservation() {
        return new Reservation(Ids.marked(id, madeBy), orderId, sku, quantity);
    }
}
