package io.sluice.demo.inventory;

import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.Read;
import io.sluice.migration.branch.UnknownOperationException;
import io.sluice.migration.retirement.Retire;
import io.sluice.migration.routing.Deadline;
import io.sluice.migration.routing.Router;
import java.time.Duration;

/**
 * The inventory as the rest of the shop calls it, whichever side owns a SKU. Safe for use by many threads and processes.
 *
 * <p>All methods also throw what {@link Router} says: {@link io.sluice.migration.branch.NothingHappenedException} when it is
 * certain that nothing has changed, and the writes {@link io.sluice.migration.branch.UnknownOutcomeException} when it is not:
 * then {@link #outcome} tells, or the same request is sent again.
 */
@Retire(migration = InventoryTables.MIGRATION, after = InventoryTables.RETIRED_AFTER, part = "routing")
public final class InventoryService {
    private static final Read<Inventory, Integer> AVAILABLE = Read.named("available", Inventory::available);

    private final Router<Inventory> router;

    public InventoryService(Router<Inventory> router) {
        this.router = router;
    }

    /**
     * Takes stock out for an order. Sent again with the same id it happens once and gives the same answer.
     *
     * @param within for how long the caller waits
     * @throws OutOfStockException when less is available
     * @throws NotStockedException when the SKU was never stocked
     * @throws OperationIdUsedException when the id stands for something else
     */
    public Reservation reserve(ReserveRequest request, Duration within) {
        return router.write(
                request.sku(),
                request.reservationId(),
                Deadline.in(within),
                (inventory, grant) -> inventory.reserve(grant, request));
    }

    /**
     * Gives a reservation back to whichever side owns its SKU now, once.
     *
     * @param within for how long the caller waits
     * @throws UnknownReservationException when there is none of this id
     * @throws AlreadyReleasedException when another release has given it back
     * @throws OperationIdUsedException when the id of the release stands for something else
     */
    public void release(ReleaseRequest request, Duration within) {
        try {
            router.writeByOperation(
                    Ids.unmarked(request.reservationId()),
                    Ids.hint(request.reservationId()),
                    request.releaseId(),
                    Deadline.in(within),
                    (inventory, grant) -> {
                        inventory.release(grant, request);
                        return request.reservationId();
                    });
        } catch (UnknownOperationException unknown) {
            throw new UnknownReservationException(request.reservationId());
        }
    }

    /**
     * How much of a SKU can be reserved now, 0 or more.
     *
     * @param within for how long the caller waits
     * @throws NotStockedException when the SKU was never stocked
     */
    public int available(String sku, Duration within) {
        return router.read(sku, Deadline.in(within), AVAILABLE);
    }

    /**
     * What became of a reserve or a release, finally: one that has not happened by now never will.
     *
     * @param sku the SKU of the reservation
     * @param operationId the id of the reservation or of the release
     * @param within for how long the caller waits
     * @throws OperationIdUsedException when the operation was one of another SKU
     */
    public Outcome outcome(String sku, String operationId, Duration within) {
        return router.outcome(sku, Ids.unmarked(operationId), Deadline.in(within));
    }
}
