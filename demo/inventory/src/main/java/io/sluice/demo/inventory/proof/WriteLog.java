package io.sluice.demo.inventory.proof;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * What every write left behind, kept by the database itself: which SKU, at which side, which version it made of it, whom the
 * owner row named meanwhile, and when its transaction began and was committed. Copies insert and don't update, so they are not in
 * it. Safe for use by many threads.
 *
 * <p>It takes triggers on both ledgers, and a database that runs with {@code track_commit_timestamp = on}; the tables of
 * inventory and owners have to be there.
 */
public final class WriteLog {
    /** So many examples of each fault are told. */
    private static final int MOST_EXAMPLES = 20;

    private static final int NO_LIMIT = 0;

    private static final String RESERVATIONS =
            "SELECT id, sku, quantity, 'legacy' AS side, NOT released AND NOT cancelled AS open,"
                    + " NOT cancelled AS happened, release_id FROM legacy_reservation UNION ALL"
                    + " SELECT id, sku, quantity, 'new', status = 'RESERVED', status <> 'CANCELLED', release_id"
                    + " FROM inventory.reservation";
    private static final String OWNED_RESERVATIONS = "SELECT r.* FROM (" + RESERVATIONS + ") AS r"
            + " LEFT JOIN sluice.owner o ON o.migration = 'inventory' AND o.key = r.sku"
            + " WHERE r.side = coalesce(o.side, 'legacy')";

    private final DataSource database;

    private WriteLog(DataSource database) {
        this.database = database;
    }

    /**
     * Begins to log.
     *
     * @throws SQLException when the database refuses, or can't tell when a transaction was committed
     */
    public static WriteLog begin(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_xact_commit_timestamp(pg_current_xact_id()::xid)");
            statement.execute("CREATE TABLE write_log (sku text, side text, version bigint, owner text,"
                    + " begun timestamptz DEFAULT transaction_timestamp(), at timestamptz DEFAULT clock_timestamp())");
            statement.execute(
                    "CREATE FUNCTION log_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                            + " INSERT INTO write_log (sku, side, version, owner) VALUES (NEW.sku, TG_ARGV[0], NEW.version,"
                            + " (SELECT side FROM sluice.owner WHERE migration = 'inventory' AND key = NEW.sku)); RETURN NEW; END $$");
            statement.execute("CREATE TRIGGER log_write AFTER UPDATE ON legacy_inventory"
                    + " FOR EACH ROW EXECUTE FUNCTION log_write('legacy')");
            statement.execute("CREATE TRIGGER log_write AFTER UPDATE ON inventory.stock"
                    + " FOR EACH ROW EXECUTE FUNCTION log_write('new')");
        }
        return new WriteLog(database);
    }

    /** How many writes there were. */
    public long size() throws SQLException {
        return number("SELECT count(*) FROM write_log");
    }

    /**
     * What two writers of one SKU would leave behind. Two of them would each make the same version of it; a write that a copy
     * missed would leave its version to be made again; and one that was still open at the old side when the new one was written
     * would overlap with it, from the begin of its transaction to its commit.
     *
     * <p>To be called when nothing is written or moved any more.
     *
     * @return empty if there was one writer at every time; up to {@value #MOST_EXAMPLES} examples of each fault
     */
    public List<String> faults() throws SQLException {
        // Without it the database may take hours for what follows, after many writes.
        execute("ANALYZE write_log, legacy_inventory, legacy_reservation, inventory.stock, inventory.reservation,"
                + " sluice.owner");
        List<String> faults = new ArrayList<>();
        find(
                "version made twice",
                "SELECT sku || ' ' || version FROM write_log GROUP BY sku, version HAVING count(*) > 1",
                faults);
        find("version missing", "SELECT sku FROM write_log GROUP BY sku HAVING max(version) <> count(*)", faults);
        find(
                "written beside the owner",
                "SELECT sku || ' ' || version FROM write_log WHERE owner IS DISTINCT FROM side",
                faults);
        find(
                "version out of order",
                "SELECT sku || ' ' || version FROM (SELECT sku, version, at,"
                        + " lag(at) OVER (PARTITION BY sku ORDER BY version) AS before FROM write_log) AS w"
                        + " WHERE before > at",
                faults);
        find(
                "written at both sides at once",
                "SELECT sku || ' ' || version FROM (SELECT sku, version, side, begun, lag(side) OVER each AS before,"
                        + " lag(ended) OVER each AS before_ended FROM"
                        + " (SELECT *, pg_xact_commit_timestamp(xmin) AS ended FROM write_log) AS l"
                        + " WINDOW each AS (PARTITION BY sku ORDER BY version)) AS w"
                        + " WHERE before <> side AND before_ended >= begun",
                faults);
        find(
                "write lost by its owner",
                "SELECT s.sku FROM (SELECT sku, max(version) AS version FROM write_log GROUP BY sku) AS w JOIN ("
                        + owned("version") + ") AS s ON s.sku = w.sku WHERE s.version <> w.version",
                faults);
        find(
                "writes are not operations",
                "SELECT w.sku || ' has ' || w.writes || ' for ' || coalesce(o.operations, 0) FROM"
                        + " (SELECT sku, count(*) AS writes FROM write_log GROUP BY sku) AS w FULL JOIN"
                        + " (SELECT sku, count(*) + count(release_id) AS operations FROM (" + OWNED_RESERVATIONS
                        + ") AS r WHERE happened GROUP BY sku) AS o ON o.sku = w.sku"
                        + " WHERE coalesce(w.writes, 0) <> coalesce(o.operations, 0)",
                faults);
        return faults;
    }

    /** How much the owners hold, available or reserved. */
    public long total() throws SQLException {
        return number("SELECT sum(available) FROM (" + owned("available") + ") AS s") + reserved();
    }

    /** How much is reserved at the owners. */
    public long reserved() throws SQLException {
        return number("SELECT coalesce(sum(quantity), 0) FROM (" + OWNED_RESERVATIONS + ") AS r WHERE open");
    }

    /** SKUs of which the owner does not hold exactly this much, available and reserved together. */
    public List<String> skusWithout(int stocked) throws SQLException {
        return texts(
                "SELECT s.sku || ' has ' || s.available || ' and ' || coalesce(r.reserved, 0) FROM ("
                        + owned("available") + ") AS s LEFT JOIN (SELECT sku, sum(quantity) AS reserved FROM ("
                        + OWNED_RESERVATIONS + ") AS r WHERE open GROUP BY sku) AS r ON r.sku = s.sku"
                        + " WHERE s.available + coalesce(r.reserved, 0) <> " + stocked,
                NO_LIMIT);
    }

    /**
     * Holds what customers were told against the ledgers of the owners.
     *
     * <p>To be called when nothing is written or moved any more.
     *
     * @return empty if every operation that a customer was told to have happened did, and none that was told not to have
     *     happened or that nobody has asked for; up to {@value #MOST_EXAMPLES} examples
     */
    public List<String> faults(Account account) throws SQLException {
        Account.Audit audit = account.audit();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT id, sku, quantity, release_id FROM (" + OWNED_RESERVATIONS + ") AS r WHERE happened")) {
            while (row.next()) {
                audit.reserved(row.getString("id"), row.getString("sku"), row.getInt("quantity"));
                String releaseId = row.getString("release_id");
                if (releaseId != null) {
                    audit.released(releaseId, row.getString("id"));
                }
            }
        }
        return audit.faults().stream().limit(MOST_EXAMPLES).toList();
    }

    private static String owned(String column) {
        return "SELECT s.sku, s.side, s." + column + " FROM (SELECT sku, 'legacy' AS side, available, version"
                + " FROM legacy_inventory UNION ALL SELECT sku, 'new', available, version FROM inventory.stock) AS s"
                + " LEFT JOIN sluice.owner o ON o.migration = 'inventory' AND o.key = s.sku"
                + " WHERE s.side = coalesce(o.side, 'legacy')";
    }

    private void find(String fault, String sql, List<String> faults) throws SQLException {
        texts(sql, MOST_EXAMPLES).forEach(each -> faults.add(fault + ": " + each));
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Not by LIMIT, which makes the planner look for the first rows of what has none, with a nested loop that takes hours. */
    private List<String> texts(String sql, int most) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.setMaxRows(most);
            try (ResultSet rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    texts.add(rows.getString(1));
                }
            }
        }
        return texts;
    }

    private long number(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
