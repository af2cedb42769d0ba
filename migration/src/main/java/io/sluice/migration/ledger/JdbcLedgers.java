package io.sluice.migration.ledger;

import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import io.sluice.migration.owner.Amounts;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.Side;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Both ledgers of a migration and its owner rows, in one PostgreSQL database, read in one snapshot: a transaction that
 * is repeatable read and read only. So writes and moves that go on meanwhile are either in it as a whole or not at all,
 * it holds no lock that they would wait for, and it changes nothing. It may read from a standby. While it runs, the
 * database keeps old versions of rows.
 *
 * <p>A query's first column is the key, each other column an amount under its own name: whole numbers, none of them
 * null. It gives each key once; sorting is done around it, so it needs no {@code ORDER BY}. Rows come through cursors,
 * {@value #ROWS} at a time. Safe for use by many threads.
 */
public final class JdbcLedgers {
    private static final int ROWS = 2_000;

    private final DataSource dataSource;
    private final String migration;
    private final String legacy;
    private final String newer;

    /**
     * @param dataSource gives connections of its own, none that take part in a transaction of the caller
     * @param migration its name
     * @param legacy the query for the old ledger, like {@code SELECT sku, available, reserved FROM legacy_inventory}.
     *     Comes from whoever runs this, never from outside: it is part of the SQL
     * @param newer the query for the new ledger
     * @throws RefusedException with every problem
     */
    public JdbcLedgers(DataSource dataSource, String migration, String legacy, String newer) {
        Problems problems = new Problems();
        problems.part("", () -> Plan.start(migration));
        this.dataSource = dataSource;
        this.migration = migration;
        this.legacy = query("legacy", legacy, problems);
        this.newer = query("new", newer, problems);
        problems.throwIfAny();
    }

    private static String query(String path, String sql, Problems problems) {
        String bare = sql.strip().replaceFirst(";\\s*$", "");
        problems.require(!bare.isEmpty(), path, "empty", "must be a query: the key, then its amounts");
        // The driver would run what follows as statements of their own, behind the end of the read only transaction.
        problems.require(
                Enclosed.is(bare), path, sql, "must be one query: no ; in it, and no ) without its ( before it");
        return bare;
    }

    /**
     * Makes the report.
     *
     * @throws RefusedException when the database knows no such migration, or a query can't be run or gives something
     *     else than keys and amounts; keys before the bad one have been told of then
     * @throws UnreadableLedgerException when the database can't be read now
     */
    public Totals reconcile(Reconciliation reconciliation, ReportReader reader) {
        try (Connection connection = dataSource.getConnection()) {
            boolean wasAutoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try (Statement begin = connection.createStatement()) {
                begin.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
                return inSnapshot(connection, reconciliation, reader);
            } finally {
                end(connection, wasAutoCommit);
            }
        } catch (SQLException failed) {
            throw new UnreadableLedgerException("the database could not be read: " + firstLine(failed), failed);
        }
    }

    private static void end(Connection connection, boolean wasAutoCommit) {
        try {
            connection.rollback();
            connection.setAutoCommit(wasAutoCommit);
        } catch (SQLException broken) {
            // Nothing was to be kept, and what went wrong before is what the caller has to know.
        }
    }

    private Totals inSnapshot(Connection connection, Reconciliation reconciliation, ReportReader reader)
            throws SQLException {
        requireKnown(connection);
        try (Cursor<Entry> old = ledger(connection, "legacy", legacy);
                Cursor<Entry> young = ledger(connection, "new", newer);
                Cursor<OwnerRow> rows = owners(connection)) {
            TreeSet<String> names = new TreeSet<>(old.names);
            names.addAll(young.names);
            reader.begins(now(connection), List.copyOf(names));
            return reconciliation.run(old, young, rows, reader);
        }
    }

    private static Instant now(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT transaction_timestamp()")) {
            row.next();
            return row.getObject(1, OffsetDateTime.class).toInstant();
        }
    }

    /** With a name that was mistyped every key would be legacy's, and might well add up. */
    private void requireKnown(Connection connection) throws SQLException {
        TreeSet<String> known = new TreeSet<>();
        boolean hasTables = false;
        for (String table : List.of("sluice.owner", "sluice.migration")) {
            if (!has(connection, table)) {
                continue;
            }
            hasTables = true;
            // One look at the index for each migration, instead of one for each key.
            String sql = "WITH RECURSIVE name AS ((SELECT min(migration) AS it FROM " + table + ") UNION ALL"
                    + " SELECT (SELECT min(migration) FROM " + table + " WHERE migration > it) FROM name"
                    + " WHERE it IS NOT NULL) SELECT it FROM name WHERE it IS NOT NULL";
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(sql)) {
                while (row.next()) {
                    known.add(row.getString(1));
                }
            }
        }
        if (!known.contains(migration)) {
            throw new RefusedException(
                    "migration",
                    migration,
                    "must be one that this database knows: "
                            + (hasTables
                                    ? known.isEmpty() ? "it knows none yet" : String.join(", ", known)
                                    : "it has no table sluice.owner"));
        }
    }

    private static boolean has(Connection connection, String table) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT to_regclass(?) IS NOT NULL")) {
            query.setString(1, table);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    private static Cursor<Entry> ledger(Connection connection, String side, String sql) throws SQLException {
        // The line breaks end a comment that the query may end with. The key is sorted as the text that it is told as.
        String sorted = "SELECT ledger.sluice_key::text AS sluice_text, ledger.* FROM (\n" + sql
                + "\n) AS ledger(sluice_key) ORDER BY ledger.sluice_key::text COLLATE \"C\"";
        try {
            PreparedStatement query = connection.prepareStatement(sorted);
            query.setFetchSize(ROWS);
            ResultSet rows = query.executeQuery();
            List<String> names = names(side, rows.getMetaData());
            return new Cursor<>(side, query, rows, names, row -> entry(side, row, names));
        } catch (SQLException failed) {
            throw failure(side, sql, failed);
        }
    }

    /** A query that is wrong is refused; of trouble with the database it is not to blame. */
    private static RuntimeException failure(String side, String sql, SQLException failed) {
        String state = String.valueOf(failed.getSQLState());
        // Syntax, names and rights; data like a division by zero; a change in a read-only transaction.
        if (state.startsWith("42") || state.startsWith("22") || state.startsWith("25")) {
            return new RefusedException(
                    side, sql, "must be a query that the database can run (" + firstLine(failed) + ")");
        }
        return new UnreadableLedgerException(side + " could not be read: " + firstLine(failed), failed);
    }

    private static List<String> names(String side, ResultSetMetaData columns) throws SQLException {
        List<String> names = new ArrayList<>();
        Problems problems = new Problems();
        for (int i = FIRST_AMOUNT; i <= columns.getColumnCount(); i++) {
            String name = columns.getColumnLabel(i);
            problems.require(
                    name.matches("[a-zA-Z0-9_]{1,63}") && !names.contains(name),
                    side + " column " + (i - 1),
                    name,
                    "must have a name of its own of a-z A-Z 0-9 _; give it one with AS");
            names.add(name);
        }
        problems.require(!names.isEmpty(), side, "the key alone", "must give an amount after the key");
        problems.throwIfAny();
        return names;
    }

    /** Behind the key as text and the key as it is. */
    private static final int FIRST_AMOUNT = 3;

    private static Entry entry(String side, ResultSet row, List<String> names) throws SQLException {
        String key = row.getString(1);
        SortedMap<String, Long> amounts = new TreeMap<>();
        for (int i = 0; i < names.size(); i++) {
            amounts.put(names.get(i), whole(side, key, names.get(i), row.getObject(FIRST_AMOUNT + i)));
        }
        try {
            return new Entry(key, new Amounts(amounts));
        } catch (RefusedException noKey) {
            throw new RefusedException(
                    side, "a key " + key, noKey.problems().get(0).allowed());
        }
    }

    private static long whole(String side, @Nullable String key, String name, @Nullable Object amount) {
        if (amount instanceof Long || amount instanceof Integer || amount instanceof Short) {
            return ((Number) amount).longValue();
        }
        if (amount instanceof BigDecimal decimal) {
            try {
                return decimal.longValueExact();
            } catch (ArithmeticException notWhole) {
                // Refused below.
            }
        }
        throw new RefusedException(
                side + " " + name + " of " + key,
                String.valueOf(amount),
                "must be a whole number of 64 bits; take coalesce(.., 0) where there may be none");
    }

    private Cursor<OwnerRow> owners(Connection connection) throws SQLException {
        if (!has(connection, "sluice.owner")) {
            throw new RefusedException("migration", migration, "must have a table sluice.owner in this database");
        }
        PreparedStatement query = connection.prepareStatement(
                "SELECT key, side, epoch, moving_to, abs(extract(epoch FROM clock_timestamp() - since)) AS age, handed"
                        + " FROM sluice.owner WHERE migration = ? ORDER BY key COLLATE \"C\"");
        query.setString(1, migration);
        query.setFetchSize(ROWS);
        return new Cursor<>("owner", query, query.executeQuery(), List.of(), JdbcLedgers::owner);
    }

    private static OwnerRow owner(ResultSet row) throws SQLException {
        @Nullable String movingTo = row.getString("moving_to");
        Owned owned = new Owned(
                row.getString("key"),
                Side.parse(row.getString("side")),
                row.getLong("epoch"),
                movingTo == null ? null : Side.parse(movingTo),
                Duration.ofMillis(Math.round(row.getDouble("age") * 1000)));
        return new OwnerRow(owned, Amounts.parse(row.getString("handed")));
    }

    private static String firstLine(SQLException failed) {
        return String.valueOf(failed.getMessage()).lines().findFirst().orElse("no message");
    }

    @FunctionalInterface
    private interface Reading<T> {
        T of(ResultSet row) throws SQLException;
    }

    /** A result set as an iterator; the statement goes with it. */
    private static final class Cursor<T> implements Iterator<T>, AutoCloseable {
        private final String name;
        private final PreparedStatement query;
        private final ResultSet rows;
        private final List<String> names;
        private final Reading<T> reading;
        private boolean isAt;
        private boolean isOver;

        Cursor(String name, PreparedStatement query, ResultSet rows, List<String> names, Reading<T> reading) {
            this.name = name;
            this.query = query;
            this.rows = rows;
            this.names = names;
            this.reading = reading;
        }

        @Override
        public boolean hasNext() {
            try {
                if (!isAt && !isOver) {
                    isAt = rows.next();
                    isOver = !isAt;
                }
                return isAt;
            } catch (SQLException failed) {
                throw failure(name, "its rows", failed);
            }
        }

        @Override
        public T next() {
            if (!hasNext()) {
                throw new NoSuchElementException(name);
            }
            isAt = false;
            try {
                return reading.of(rows);
            } catch (SQLException failed) {
                throw failure(name, "its rows", failed);
            }
        }

        @Override
        public void close() throws SQLException {
            query.close();
        }
    }
}
