package io.sluice.demo.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;

/**
 * What every write left behind, kept by the database itself: which SKU, at which side, which version it made of it, and whom the
 * owner row named meanwhile. Copies insert and don't update, so they are not in it.
 */
final class WriteLog {
    private final TestDatabase database;

    private WriteLog(TestDatabase database) {
        this.database = database;
    }

    static WriteLog begin(TestDatabase database) throws SQLException {
        database.execute("CREATE TABLE write_log (sku text, side text, version bigint, owner text,"
                + " at timestamptz DEFAULT clock_timestamp())");
        database.execute(
                "CREATE FUNCTION log_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                        + " INSERT INTO write_log (sku, side, version, owner) VALUES (NEW.sku, TG_ARGV[0], NEW.version,"
                        + " (SELECT side FROM sluice.owner WHERE migration = 'inventory' AND key = NEW.sku)); RETURN NEW; END $$");
        database.execute("CREATE TRIGGER log_write AFTER UPDATE ON legacy_inventory"
                + " FOR EACH ROW EXECUTE FUNCTION log_write('legacy')");
        database.execute("CREATE TRIGGER log_write AFTER UPDATE ON inventory.stock"
                + " FOR EACH ROW EXECUTE FUNCTION log_write('new')");
        return new WriteLog(database);
    }

    long size() throws SQLException {
        return database.number("SELECT count(*) FROM write_log");
    }

    /**
     * Two writers of one SKU would each make the same version of it; a write that a copy missed would leave its version to be made
     * again.
     */
    void assertOneWriterPerSku() throws SQLException {
        assertThat(database.texts(
                        "SELECT sku || ' ' || version FROM write_log GROUP BY sku, version HAVING count(*) > 1"))
                .as("versions that were made twice")
                .isEmpty();
        assertThat(database.texts("SELECT sku FROM write_log GROUP BY sku HAVING max(version) <> count(*)"))
                .as("SKUs of which a version is missing")
                .isEmpty();
        assertThat(database.texts("SELECT sku || ' ' || version FROM write_log WHERE owner IS DISTINCT FROM side"))
                .as("writes beside the owner")
                .isEmpty();
        assertThat(database.texts("SELECT sku || ' ' || version FROM (SELECT sku, version, at,"
                        + " lag(at) OVER (PARTITION BY sku ORDER BY version) AS before FROM write_log) AS w"
                        + " WHERE before > at"))
                .as("versions out of order")
                .isEmpty();
        assertThat(database.texts("SELECT s.sku FROM (SELECT sku, max(version) AS version FROM write_log GROUP BY sku)"
                        + " AS w JOIN (" + owned("version") + ") AS s ON s.sku = w.sku WHERE s.version <> w.version"))
                .as("SKUs whose owner lacks a write")
                .isEmpty();
    }

    /** How much the owners hold, available or reserved. */
    long total() throws SQLException {
        return database.number("SELECT sum(available) FROM (" + owned("available") + ") AS s") + reserved();
    }

    /** How much is reserved at the owners. */
    long reserved() throws SQLException {
        return database.number("SELECT coalesce(sum(r.quantity), 0) FROM (SELECT sku, quantity, 'legacy' AS side"
                + " FROM legacy_reservation WHERE NOT released AND NOT cancelled UNION ALL"
                + " SELECT sku, quantity, 'new' FROM inventory.reservation WHERE status = 'RESERVED') AS r"
                + " LEFT JOIN sluice.owner o ON o.migration = 'inventory' AND o.key = r.sku"
                + " WHERE r.side = coalesce(o.side, 'legacy')");
    }

    /** SKUs of which the owner does not hold exactly this much, available and reserved together. */
    List<String> skusWithout(int stocked) throws SQLException {
        return database.texts("SELECT s.sku || ' has ' || s.available || ' and ' || coalesce(r.reserved, 0) FROM ("
                + owned("available") + ") AS s LEFT JOIN (SELECT sku, side, sum(quantity) AS reserved FROM"
                + " (SELECT sku, quantity, 'legacy' AS side FROM legacy_reservation WHERE NOT released AND NOT cancelled"
                + " UNION ALL SELECT sku, quantity, 'new' FROM inventory.reservation WHERE status = 'RESERVED') AS each"
                + " GROUP BY sku, side) AS r ON r.sku = s.sku AND r.side = s.side"
                + " WHERE s.available + coalesce(r.reserved, 0) <> " + stocked);
    }

    private static String owned(String column) {
        return "SELECT s.sku, s.side, s." + column + " FROM (SELECT sku, 'legacy' AS side, available, version"
                + " FROM legacy_inventory UNION ALL SELECT sku, 'new', available, version FROM inventory.stock) AS s"
                + " LEFT JOIN sluice.owner o ON o.migration = 'inventory' AND o.key = s.sku"
                + " WHERE s.side = coalesce(o.side, 'legacy')";
    }
}
