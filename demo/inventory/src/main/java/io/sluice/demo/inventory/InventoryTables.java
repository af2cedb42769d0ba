package io.sluice.demo.inventory;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/** The tables of both ledgers, and stock that comes in. */
public final class InventoryTables {
    /** The name of the migration. */
    public static final String MIGRATION = "inventory";

    /** Until when the old inventory may still be there. */
    public static final String RETIRED_AFTER = "2030-12-31";

    private static final String[] DDL = {
        "CREATE TABLE IF NOT EXISTS legacy_inventory (sku text PRIMARY KEY, available int NOT NULL CHECK (available >= 0),"
                + " version bigint NOT NULL DEFAULT 0)",
        "CREATE TABLE IF NOT EXISTS legacy_reservation (id text PRIMARY KEY, sku text NOT NULL, order_no text NOT NULL,"
                + " quantity int NOT NULL, released boolean NOT NULL DEFAULT false,"
                + " cancelled boolean NOT NULL DEFAULT false, made_by text NOT NULL DEFAULT 'legacy',"
                + " release_id text UNIQUE)",
        "CREATE INDEX IF NOT EXISTS legacy_reservation_sku ON legacy_reservation (sku)",
        "CREATE SCHEMA IF NOT EXISTS inventory",
        "CREATE TABLE IF NOT EXISTS inventory.stock (sku text PRIMARY KEY, available int NOT NULL CHECK (available >= 0),"
                + " version bigint NOT NULL)",
        "CREATE TABLE IF NOT EXISTS inventory.reservation (id text PRIMARY KEY, sku text NOT NULL, order_id text NOT NULL,"
                + " quantity int NOT NULL, status text NOT NULL CHECK (status IN ('RESERVED', 'RELEASED', 'CANCELLED')),"
                + " owner text NOT NULL, release_id text UNIQUE)",
        "CREATE INDEX IF NOT EXISTS reservation_sku ON inventory.reservation (sku)",
        "CREATE TABLE IF NOT EXISTS inventory.operation (id text PRIMARY KEY, sku text NOT NULL)",
        // What legacy knew before the migration began.
        "INSERT INTO inventory.operation (id, sku) SELECT id, sku FROM legacy_reservation ON CONFLICT (id) DO NOTHING",
    };

    private InventoryTables() {}

    /**
     * Creates what is missing. Two processes may do it at once.
     *
     * @throws SQLException when the database refuses; nothing was created then
     */
    public static void create(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            // "IF NOT EXISTS" alone fails when two create the same thing at the same time.
            statement.execute("SELECT pg_advisory_xact_lock(hashtext('sluice-demo-inventory'))");
            for (String each : DDL) {
                statement.execute(each);
            }
            connection.commit();
        }
    }

    /**
     * Stocks SKUs that nobody has stocked yet, in the old ledger, where every key begins.
     *
     * @param format a name with one number, like {@code sku-%05d}
     * @param available how much of each, 0 or more
     * @throws SQLException when the database refuses; nothing was stocked then
     */
    public static void stock(DataSource database, String format, int skus, int available) throws SQLException {
        Transactions transactions = new Transactions(database, Duration.ofSeconds(60));
        transactions.write("stock", transaction -> {
            try (var insert = transaction.prepareStatement(
                    "INSERT INTO legacy_inventory (sku, available) VALUES (?, ?) ON CONFLICT (sku) DO NOTHING")) {
                for (int i = 0; i < skus; i++) {
                    insert.setString(1, String.format(format, i));
                    insert.setInt(2, available);
                    insert.addBatch();
                }
                return insert.executeBatch();
            }
        });
    }
}
