package io.sluice.demo.inventory;

import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.kit.BranchFixture;
import io.sluice.migration.kit.Fault;
import io.sluice.migration.owner.Fence;
import io.sluice.migration.owner.JdbcOwners;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.owner.Owners;
import io.sluice.migration.plan.Side;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Both inventories on a real database, for the kit. */
class InventoryFixture implements BranchFixture<Inventory, Connection> {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);
    private static final int STOCKED = 1000;

    private static final AtomicInteger KEYS = new AtomicInteger();

    private final DataSource database;
    private final JdbcOwners owners;

    InventoryFixture(DataSource database) {
        this.database = database;
        this.owners = new JdbcOwners(database, InventoryTables.MIGRATION);
    }

    @Override
    public Owners<Connection> owners() {
        return owners;
    }

    @Override
    public Fence<Connection> fence() {
        return owners;
    }

    @Override
    public KeyCopy<Connection> copy() {
        return new InventoryCopy();
    }

    @Override
    public Inventory branch(Side side, Fence<Connection> fence) {
        return inventory(side, database, fence);
    }

    @Override
    public Inventory failing(Side side, Fence<Connection> fence, Fault fault) {
        return inventory(side, FailingDatabase.of(database, fault), fence);
    }

    private static Inventory inventory(Side side, DataSource database, Fence<Connection> fence) {
        return side == Side.LEGACY
                ? new LegacyInventory(database, fence, ANSWER_WITHIN)
                : new ReservedInventory(database, fence, ANSWER_WITHIN);
    }

    @Override
    public String freshKey() {
        String sku = "kit-" + KEYS.incrementAndGet();
        try {
            InventoryTables.stock(database, sku, 1, STOCKED);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
        return sku;
    }

    @Override
    public Object write(Inventory branch, Grant grant, String operationId) {
        return branch.reserve(grant, new ReserveRequest(operationId, "order-1", grant.key(), 1));
    }

    @Override
    public Object undo(Inventory branch, Grant grant, String operationId, String writeId) {
        branch.release(grant, new ReleaseRequest(operationId, writeId));
        return "released";
    }

    @Override
    public Object refused(Inventory branch, Grant grant, String operationId) {
        return branch.reserve(grant, new ReserveRequest(operationId, "order-1", grant.key(), STOCKED * 2));
    }

    @Override
    public Versioned<?> read(Inventory branch, Grant grant) {
        return branch.available(grant);
    }
}
