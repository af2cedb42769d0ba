package io.sluice.demo.inventory;

import io.sluice.migration.branch.Branch;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.Versioned;

/**
 * What both implementations of the inventory can do. The key is the SKU; the ids of operations are unique over all SKUs.
 *
 * <p>All methods also throw what {@link Branch} says: {@link io.sluice.migration.branch.NothingHappenedException}, {@link
 * io.sluice.migration.branch.UnknownOutcomeException}.
 */
public interface Inventory extends Branch {
    /**
     * Takes stock out for an order.
     *
     * @throws OutOfStockException when less is available; nothing was taken
     * @throws NotStockedException when the SKU was never stocked
     * @throws OperationIdUsedException when the id stands for something else
     * @throws OperationCancelledException when {@link #outcome} has said that it does not happen
     */
    Reservation reserve(Grant grant, ReserveRequest request);

    /**
     * Gives a reservation's stock back.
     *
     * @throws UnknownReservationException when the SKU of the grant has no such reservation
     * @throws AlreadyReleasedException when another release has given it back
     * @throws OperationIdUsedException when the id of the release stands for something else
     * @throws OperationCancelledException when {@link #outcome} has said that the release does not happen
     */
    void release(Grant grant, ReleaseRequest request);

    /**
     * How much can be reserved now, 0 or more.
     *
     * @throws NotStockedException when the SKU was never stocked
     */
    Versioned<Integer> available(Grant grant);
}
