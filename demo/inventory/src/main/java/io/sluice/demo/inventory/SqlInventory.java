package io.sluice.demo.inventory;

import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.owner.Fence;
import io.sluice.migration.plan.Side;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import javax.sql.DataSource;

/**
 * The promises of a branch over tables, in the order in which each transaction keeps them: the fence, the id of the operation,
 * the ledger. What the ledger looks like is the subclass's.
 */
abstract class SqlInventory implements Inventory {
    private final Side side;
    private final Fence<Connection> fence;
    private final Transactions transactions;

    SqlInventory(Side side, DataSource pool, Fence<Connection> fence, Duration answerWithin) {
        this.side = side;
        this.fence = fence;
        this.transactions = new Transactions(pool, answerWithin);
    }

    @Override
    public final Reservation reserve(Grant grant, ReserveRequest request) {
        requireKey(grant, request.sku());
        return transactions.write(request.reservationId(), transaction -> {
            fence.admitWrite(transaction, grant);
            if (!Operations.claim(transaction, request.reservationId(), request.sku())) {
                return again(transaction, request);
            }
            if (!take(transaction, request.sku(), request.quantity())) {
                throw available(transaction, request.sku()).isPresent()
                        ? new OutOfStockException(request.sku(), request.quantity())
                        : new NotStockedException(request.sku());
            }
            Entry entry = new Entry(
                    request.reservationId(),
                    request.sku(),
                    request.orderId(),
                    request.quantity(),
                    Entry.Status.RESERVED,
                    side,
                    null);
            insert(transaction, entry);
            return entry.reservation();
        });
    }

    private Reservation again(Connection transaction, ReserveRequest request) throws SQLException {
        Entry entry = find(transaction, request.reservationId())
                .orElseThrow(() -> new OperationIdUsedException(request.reservationId()));
        if (entry.status() == Entry.Status.CANCELLED) {
            throw new OperationCancelledException(request.reservationId());
        }
        if (!entry.isOf(request)) {
            throw new OperationIdUsedException(request.reservationId());
        }
        return entry.reservation();
    }

    @Override
    public final void release(Grant grant, ReleaseRequest request) {
        String id = Ids.unmarked(request.reservationId());
        transactions.write(request.releaseId(), transaction -> {
            fence.admitWrite(transaction, grant);
            if (!Operations.claim(transaction, request.releaseId(), grant.key())) {
                return releasedAgain(transaction, request.releaseId(), id);
            }
            OptionalInt quantity = markReleased(transaction, id, grant.key(), request.releaseId());
            if (quantity.isEmpty()) {
                boolean wasReleased = find(transaction, id)
                        .filter(entry -> entry.sku().equals(grant.key()))
                        .filter(entry -> entry.status() == Entry.Status.RELEASED)
                        .isPresent();
                throw wasReleased
                        ? new AlreadyReleasedException(request.reservationId())
                        : new UnknownReservationException(request.reservationId());
            }
            giveBack(transaction, grant.key(), quantity.getAsInt());
            return id;
        });
    }

    private String releasedAgain(Connection transaction, String releaseId, String id) throws SQLException {
        Optional<Entry> released = findReleasedBy(transaction, releaseId);
        if (released.isEmpty()) {
            boolean isCancelled = find(transaction, releaseId)
                    .filter(entry -> entry.status() == Entry.Status.CANCELLED)
                    .isPresent();
            throw isCancelled ? new OperationCancelledException(releaseId) : new OperationIdUsedException(releaseId);
        }
        if (!released.get().id().equals(id)) {
            throw new OperationIdUsedException(releaseId);
        }
        return id;
    }

    @Override
    public final Versioned<Integer> available(Grant grant) {
        return transactions.read(transaction -> {
            fence.admitRead(transaction, grant);
            return available(transaction, grant.key()).orElseThrow(() -> new NotStockedException(grant.key()));
        });
    }

    /**
     * {@inheritDoc}
     *
     * <p>An id that nobody has used is cancelled here, so that a request that is still under way finds it taken.
     */
    @Override
    public final Outcome outcome(Grant grant, String operationId) {
        return transactions.write(operationId, transaction -> {
            fence.admitWrite(transaction, grant);
            if (Operations.claim(transaction, operationId, grant.key())) {
                insert(transaction, new Entry(operationId, grant.key(), "", 0, Entry.Status.CANCELLED, side, null));
                return Outcome.DID_NOT_HAPPEN;
            }
            boolean isCancelled = find(transaction, operationId)
                    .filter(entry -> entry.status() == Entry.Status.CANCELLED)
                    .isPresent();
            return isCancelled ? Outcome.DID_NOT_HAPPEN : Outcome.HAPPENED;
        });
    }

    @Override
    public final Optional<String> keyOf(String operationId) {
        return transactions.read(transaction -> Operations.skuOf(transaction, Ids.unmarked(operationId)));
    }

    /** Takes stock out and counts the version; false when there is not enough. */
    abstract boolean take(Connection transaction, String sku, int quantity) throws SQLException;

    /** Gives stock back and counts the version. */
    abstract void giveBack(Connection transaction, String sku, int quantity) throws SQLException;

    abstract Optional<Versioned<Integer>> available(Connection transaction, String sku) throws SQLException;

    abstract void insert(Connection transaction, Entry entry) throws SQLException;

    abstract Optional<Entry> find(Connection transaction, String id) throws SQLException;

    abstract Optional<Entry> findReleasedBy(Connection transaction, String releaseId) throws SQLException;

    /** Releases a reservation that is still outstanding; its quantity, or nothing when there is none. */
    abstract OptionalInt markReleased(Connection transaction, String id, String sku, String releaseId)
            throws SQLException;

    private static void requireKey(Grant grant, String sku) {
        if (!grant.key().equals(sku)) {
            throw new IllegalArgumentException("the grant is for " + grant.key() + ", the request for " + sku);
        }
    }
}
