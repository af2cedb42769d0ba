package io.sluice.demo.inventory;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.sluice.migration.evidence.Tally;
import io.sluice.migration.move.Mover;
import io.sluice.migration.owner.JdbcOwners;
import io.sluice.migration.plan.PlanSource;
import io.sluice.migration.retirement.Retire;
import io.sluice.migration.routing.Router;
import io.sluice.migration.shadow.SecondLook;
import java.sql.Connection;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * The wiring of the migration in one process: both inventories on one database, the owners of their keys, and a mover. Safe for
 * use by many threads.
 *
 * <pre>{@code
 * HikariDataSource pool = InventoryMigration.pool("jdbc:postgresql://localhost/shop", 16);
 * JdbcOwners.createTables(pool);
 * InventoryTables.create(pool);
 * InventoryMigration migration = new InventoryMigration(pool, plans);
 * InventoryService inventory = migration.service(Tally.NONE, SecondLook.none());
 * inventory.reserve(new ReserveRequest("r-1", "order-1", "sku-1", 2), Duration.ofSeconds(1));
 * }</pre>
 */
@Retire(migration = InventoryTables.MIGRATION, after = InventoryTables.RETIRED_AFTER, part = "routing")
public final class InventoryMigration {
    /** For how long one statement may take. Below the deadlines of callers, so that they are told in time. */
    public static final Duration ANSWER_WITHIN = Duration.ofSeconds(2);

    private final PlanSource plans;
    private final JdbcOwners owners;
    private final LegacyInventory legacy;
    private final Inventory newer;
    private final Mover<Connection> mover;

    /** @param pool to the database with both ledgers and the owners */
    public InventoryMigration(DataSource pool, PlanSource plans) {
        this(pool, pool, plans, ANSWER_WITHIN);
    }

    /** @param newPool what the new inventory works with; for tests and the demo, in which it alone breaks */
    InventoryMigration(DataSource pool, DataSource newPool, PlanSource plans, Duration answerWithin) {
        this.plans = plans;
        this.owners = new JdbcOwners(pool, InventoryTables.MIGRATION);
        this.legacy = new LegacyInventory(pool, owners, answerWithin);
        this.newer = new ReservedInventory(newPool, owners, answerWithin);
        this.mover = new Mover<>(owners, new InventoryCopy());
    }

    /**
     * Connections for the inventories, owners and moves of one process; the caller closes it.
     *
     * @param connections at most, 1 or more; each caller holds one at a time
     */
    public static HikariDataSource pool(String jdbcUrl, int connections) {
        return new HikariDataSource(poolConfig(jdbcUrl, connections));
    }

    static HikariConfig poolConfig(String jdbcUrl, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setMaximumPoolSize(connections);
        // No connection within this time means that nothing happened, and then there has to be time to fall back.
        config.setConnectionTimeout(1000);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        return config;
    }

    /**
     * The inventory as the application calls it.
     *
     * @param tally counts what it does
     * @param secondLook compares reads
     */
    public InventoryService service(Tally tally, SecondLook<Inventory> secondLook) {
        return new InventoryService(Router.<Inventory>builder()
                .legacy(legacy)
                .newer(newer)
                .plans(plans)
                .handBack(mover)
                .tally(tally)
                .secondLook(secondLook)
                .build());
    }

    /** For shadow reads. */
    public Inventory legacy() {
        return legacy;
    }

    /** For shadow reads. */
    public Inventory newer() {
        return newer;
    }

    public JdbcOwners owners() {
        return owners;
    }

    public Mover<Connection> mover() {
        return mover;
    }
}
