package io.sluice.demo.inventory;

import io.sluice.migration.branch.Versioned;
import io.sluice.migration.owner.Fence;
import io.sluice.migration.plan.Side;
import io.sluice.migration.retirement.Retire;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import javax.sql.DataSource;

/**
 * The old inventory: one row a SKU, a plain {@code UPDATE} to reserve. For the migration it has learnt to ask the fence, to know
 * the ids of operations and to count versions. Safe for use by many threads.
 */
@Retire(migration = InventoryTables.MIGRATION, after = InventoryTables.RETIRED_AFTER, part = "old branch")
public final class LegacyInventory extends SqlInventory {
    private static final String COLUMNS = "id, sku, order_no, quantity, released, cancelled, made_by, release_id";

    /**
     * @param pool connections to the database of both ledgers, read committed; bounded in how long it waits for one
     * @param answerWithin for how long one statement may take, 1 ms or more
     */
    public LegacyInventory(DataSource pool, Fence<Connection> fence, Duration answerWithin) {
        super(Side.LEGACY, pool, fence, answerWithin);
    }

    @Override
    boolean take(Connection transaction, String sku, int quantity) throws SQLException {
        return Sql.update(
                        transaction,
                        "UPDATE legacy_inventory SET available = available - ?, version = version + 1"
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
                "UPDATE legacy_inventory SET available = available + ?, version = version + 1 WHERE sku = ?",
                quantity,
                sku);
    }

    @Override
    Optional<Versioned<Integer>> available(Connection transaction, String sku) throws SQLException {
        return Sql.first(
                transaction,
                "SELECT available, version FROM legacy_inventory WHERE sku = ?",
                row -> new Versioned<>(row.getInt("available"), row.getLong("version")),
                sku);
    }

    @Override
    void insert(Connection transaction, Entry entry) throws SQLException {
        Sql.update(
                transaction,
                "INSERT INTO legacy_reservation (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                entry.id(),
                entry.sku(),
                entry.orderId(),
                entry.quantity(),
                entry.status() == Entry.Status.RELEASED,
                entry.status() == Entry.Status.CANCELLED,
                entry.madeBy().label(),
                entry.releaseId());
    }

    @Override
    Optional<Entry> find(Connection transaction, String id) throws SQLException {
        return Sql.first(
                transaction, "SELECT " + COLUMNS + " FROM legacy_reservation WHERE id = ?", LegacyInventory::entry, id);
    }

    @Override
    Optional<Entry> findReleasedBy(Connection transaction, String releaseId) throws SQLException {
        return Sql.first(
                transaction,
                "SELECT " + COLUMNS + " FROM legacy_reservation WHERE release_id = ?",
                LegacyInventory::entry,
                releaseId);
    }

    @Override
    OptionalInt markReleased(Connection transaction, String id, String sku, String releaseId) throws SQLException {
        return Sql.first(
                        transaction,
                        "UPDATE legacy_reservation SET released = true, release_id = ?"
                                + " WHERE id = ? AND sku = ? AND NOT released AND NOT cancelled RETURNING quantity",
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
                row.getString("order_no"),
                row.getInt("quantity"),
                row.getBoolean("cancelled")
                        ? Entry.Status.CANCELLED
                        : row.getBoolean("released") ? Entry.Status.RELEASED : Entry.Status.RESERVED,
                Side.parse(row.getString("made_by")),
                row.getString("release_id"));
    }
}
