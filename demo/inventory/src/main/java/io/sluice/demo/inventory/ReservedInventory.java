package io.sluice.demo.inventory;

import io.sluice.migration.branch.Versioned;
import io.sluice.migration.owner.Fence;
import io.sluice.migration.plan.Side;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import javax.sql.DataSource;

/** The new inventory: a schema of its own, in which reservations have a status and an owner. Safe for use by many threads. */
public final class ReservedInventory extends SqlInventory {
    private static final String COLUMNS = "id, sku, order_id, quantity, status, owner, release_id";

    /**
     * @param pool connections to the database of both ledgers, read committed; bounded in how long it waits for one
     * @param answerWithin for how long one statement may take, 1 ms or more
     */
    public ReservedInventory(DataSource pool, Fence<Connection> fence, Duration answerWithin) {
        super(Side.NEW, pool, fence, answerWithin);
    }

    @Override
    boolean take(Connection transaction, String sku, int quantity) throws SQLException {
        return Sql.update(
                        transaction,
                        "UPDATE inventory.stock SET available = available - ?, version = version + 1"
                                + " WHERE sku = ? AND available >= ?",
                        quantity,
                        sku,
                        quantity)
                == 1;
    }

    @Override
    void giveBack(Connection transaction, String sku, int quantity) throws SQLException {
        Sql.update(
                transaction,
                "UPDATE inventory.stock SET available = available + ?, version = version + 1 WHERE sku = ?",
                quantity,
                sku);
    }

    @Override
    Optional<Versioned<Integer>> available(Connection transaction, String sku) throws SQLException {
        return Sql.first(
                transaction,
                "SELECT available, version FROM inventory.stock WHERE sku = ?",
                row -> new Versioned<>(row.getInt("available"), row.getLong("version")),
                sku);
    }

    @Override
    void insert(Connection transaction, Entry entry) throws SQLException {
        Sql.update(
                transaction,
                "INSERT INTO inventory.reservation (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?)",
                entry.id(),
                entry.sku(),
                entry.orderId(),
                entry.quantity(),
                entry.status().name(),
                entry.madeBy().label(),
                entry.releaseId());
    }

    @Override
    Optional<Entry> find(Connection transaction, String id) throws SQLException {
        return Sql.first(
                transaction,
                "SELECT " + COLUMNS + " FROM inventory.reservation WHERE id = ?",
                ReservedInventory::entry,
                id);
    }

    @Override
    Optional<Entry> findReleasedBy(Connection transaction, String releaseId) throws SQLException {
        return Sql.first(
                transaction,
                "SELECT " + COLUMNS + " FROM inventory.reservation WHERE release_id = ?",
                ReservedInventory::entry,
                releaseId);
    }

    @Override
    OptionalInt markReleased(Connection transaction, String id, String sku, String releaseId) throws SQLException {
        return Sql.first(
                        transaction,
                        "UPDATE inventory.reservation SET status = 'RELEASED', release_id = ?"
                                + " WHERE id = ? AND sku = ? AND status = 'RESERVED' RETURNING quantity",
                        row -> OptionalInt.of(row.getInt("quantity")),
                        releaseId,
                        id,
                        sku)
                .orElse(OptionalInt.empty());
    }

    private static Entry entry(ResultSet row) throws SQLException {
        return new Entry(
                row.getString("id"),
                row.getString("sku"),
                row.getString("order_id"),
                row.getInt("quantity"),
                Entry.Status.valueOf(row.getString("status")),
                Side.parse(row.getString("owner")),
                row.getString("release_id"));
    }
}
