package io.sluice.cli.demo.migration;

import io.sluice.migration.ledger.JdbcLedgers;
import io.sluice.migration.ledger.KeyReport;
import io.sluice.migration.ledger.Reconciliation;
import io.sluice.migration.ledger.Totals;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What the database says, by the owner of each SKU. Only looks. */
final class Ledgers {
    /** For {@code sluice migration reconcile}. */
    static final String LEGACY = "SELECT sku, available, (SELECT coalesce(sum(quantity), 0) FROM legacy_reservation r"
            + " WHERE r.sku = s.sku AND NOT released AND NOT cancelled) AS reserved FROM legacy_inventory s";

    /** For {@code sluice migration reconcile}. */
    static final String NEW = "SELECT sku, available, (SELECT coalesce(sum(quantity), 0) FROM inventory.reservation r"
            + " WHERE r.sku = s.sku AND status = 'RESERVED') AS reserved FROM inventory.stock s";

    private static final String OWNERS = "SELECT count(*) FILTER (WHERE side = 'new') AS newer,"
            + " count(*) FILTER (WHERE moving_to IS NOT NULL) AS frozen FROM sluice.owner WHERE migration = 'inventory'";
    private static final String OF_THE_OWNER =
            " LEFT JOIN sluice.owner o ON o.migration = 'inventory' AND o.key = s.sku"
                    + " WHERE s.side = coalesce(o.side, 'legacy')";
    private static final String AVAILABLE = "SELECT s.sku, s.available FROM (SELECT 'legacy' AS side, sku, available"
            + " FROM legacy_inventory UNION ALL SELECT 'new', sku, available FROM inventory.stock) AS s" + OF_THE_OWNER;
    private static final String RESERVATIONS = "SELECT s.id, s.sku, s.quantity, s.status, s.release_id FROM"
            + " (SELECT 'legacy' AS side, id, sku, quantity, CASE WHEN cancelled THEN 'CANCELLED' WHEN released"
            + " THEN 'RELEASED' ELSE 'RESERVED' END AS status, release_id FROM legacy_reservation UNION ALL"
            + " SELECT 'new', id, sku, quantity, status, release_id FROM inventory.reservation) AS s" + OF_THE_OWNER;
    private static final String TABLES = "SELECT concat_ws(', ', to_regclass('sluice.owner')::text,"
            + " to_regclass('legacy_inventory')::text, to_regclass('legacy_reservation')::text,"
            + " to_regclass('inventory.stock')::text) AS found";

    private final DataSource database;

    Ledgers(DataSource database) {
        this.database = database;
    }

    /** @param newer how many SKUs the new side owns; all others are legacy's */
    record Owned(long newer, long frozen) {}

    /** @param status {@code RESERVED}, {@code RELEASED} or {@code CANCELLED} */
    record Entry(
            String sku,
            int quantity,
            String status,
            @Nullable String releaseId) {}

    Owned owned() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(OWNERS)) {
            row.next();
            return new Owned(row.getLong("newer"), row.getLong("frozen"));
        }
    }

    /** The tables of the demo that are there; empty for none. */
    String tables() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(TABLES)) {
            row.next();
            return row.getString("found");
        }
    }

    /** How much the owner of each SKU has left. */
    Map<String, Long> available() throws SQLException {
        Map<String, Long> available = new HashMap<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(AVAILABLE)) {
            while (row.next()) {
                available.put(row.getString("sku"), row.getLong("available"));
            }
        }
        return available;
    }

    /** Each reservation at the owner of its SKU, by its id. */
    Map<String, Entry> reservations() throws SQLException {
        Map<String, Entry> reservations = new HashMap<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(RESERVATIONS)) {
            while (row.next()) {
                reservations.put(
                        row.getString("id"),
                        new Entry(
                                row.getString("sku"),
                                row.getInt("quantity"),
                                row.getString("status"),
                                row.getString("release_id")));
            }
        }
        return reservations;
    }

    Totals reconcile() {
        return new JdbcLedgers(database, MigrationPlane.MIGRATION, LEGACY, NEW)
                .reconcile(new Reconciliation(Reconciliation.STANDS_STILL), (KeyReport key) -> {});
    }
}
