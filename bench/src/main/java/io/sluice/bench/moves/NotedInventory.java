package io.sluice.bench.moves;

import io.sluice.demo.inventory.Inventory;
import io.sluice.demo.inventory.ReleaseRequest;
import io.sluice.demo.inventory.Reservation;
import io.sluice.demo.inventory.ReserveRequest;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.owner.OwnerChangedException;
import java.util.Optional;
import java.util.function.Supplier;

/** An inventory that takes note of what its fence refuses, for each thread by itself. */
final class NotedInventory implements Inventory {
    /** What the operation of one thread has met since {@link #begin}. Used by that thread alone. */
    static final class Refusals {
        private long firstFrozen;
        private int frozen;
        private int behind;

        void begin() {
            firstFrozen = 0;
            frozen = 0;
            behind = 0;
        }

        private void add(OwnerChangedException refused) {
            if (!refused.owned().isFrozen()) {
                behind++;
                return;
            }
            if (frozen == 0) {
                firstFrozen = System.nanoTime();
            }
            frozen++;
        }

        /** Since it has first met its key frozen; 0 when it has not. */
        long frozenNanos() {
            return frozen == 0 ? 0 : System.nanoTime() - firstFrozen;
        }

        int frozen() {
            return frozen;
        }

        int behind() {
            return behind;
        }
    }

    private final Inventory inventory;
    private final ThreadLocal<Refusals> refusals;

    NotedInventory(Inventory inventory, ThreadLocal<Refusals> refusals) {
        this.inventory = inventory;
        this.refusals = refusals;
    }

    @Override
    public Reservation reserve(Grant grant, ReserveRequest request) {
        return noting(() -> inventory.reserve(grant, request));
    }

    @Override
    public void release(Grant grant, ReleaseRequest request) {
        noting(() -> {
            inventory.release(grant, request);
            return request;
        });
    }

    @Override
    public Versioned<Integer> available(Grant grant) {
        return noting(() -> inventory.available(grant));
    }

    @Override
    public Outcome outcome(Grant grant, String operationId) {
        return noting(() -> inventory.outcome(grant, operationId));
    }

    @Override
    public Optional<String> keyOf(String operationId) {
        return inventory.keyOf(operationId);
    }

    private <R> R noting(Supplier<R> work) {
        try {
            return work.get();
        } catch (OwnerChangedException refused) {
            refusals.get().add(refused);
            throw refused;
        }
    }
}
