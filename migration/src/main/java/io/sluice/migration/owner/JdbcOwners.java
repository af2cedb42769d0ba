package io.sluice.migration.owner;

import io.sluice.core.problem.Problems;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.NothingHappenedException;
import io.sluice.migration.branch.UnknownOutcomeException;
import io.sluice.migration.plan.Keys;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.Side;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owners and fence in PostgreSQL: the rows of {@code sluice.owner}, in the database that holds both ledgers.
 *
 * <p><b>The locks.</b> A write holds its row {@code FOR KEY SHARE} until its transaction ends. A freeze is an update of
 * other columns, which that lock allows: it waits for no write, and the next write sees it. A drain asks for {@code FOR
 * UPDATE}, which waits for the writes that passed before. A hand-over holds {@code FOR UPDATE} over copy and opening.
 *
 * <p><b>Errors.</b> Trouble with the database is a {@link NothingHappenedException}: what has not been committed never
 * is. When a connection breaks behind a commit, the step is done once more: each step looks first whether it is done
 * already, and waits for the locks of a commit that is still under way. Only when that fails as well it is an {@link
 * UnknownOutcomeException}, which names the step; {@link #of(String)} tells what became of it.
 *
 * <p>The data source has to give connections of its own, none that take part in a transaction of the caller. The fence works on the caller's connection and never commits or closes it; after an exception the caller rolls back.
 * All else takes one connection of the data source at a time, works in {@code READ COMMITTED} whatever the default, and
 * gives it back as it was. Safe for use by many threads and processes.
 */
public final class JdbcOwners implements Owners<Connection>, Fence<Connection> {
    /**
     * How long the database waits.
     *
     * @param idle how long a write that has passed the fence, or a step of a move, may send no statement before the
     *     database ends its transaction, 1 ms..1 h. So whoever was suspended in the middle holds up others no longer. It
     *     replaces {@code idle_in_transaction_session_timeout} for that transaction; a single statement that runs long is
     *     limited by {@code statement_timeout}, which is the user's
     * @param lock how long a freeze, a hand-over, a release or a mirroring waits for each lock, those of the copy's own
     *     statements included, 1 ms..1 h. Then it is a {@link NothingHappenedException}
     */
    public record Limits(Duration idle, Duration lock) {
        public static final Limits DEFAULT = new Limits(Duration.ofSeconds(10), Duration.ofSeconds(5));

        /** @throws io.sluice.core.problem.RefusedException with every problem */
        public Limits {
            Problems problems = new Problems();
            problems.require(isLimit(idle), "idle", idle, "must be within 1ms..1h");
            problems.require(isLimit(lock), "lock", lock, "must be within 1ms..1h");
            problems.throwIfAny();
        }

        private static boolean isLimit(Duration limit) {
            return limit.compareTo(Duration.ofMillis(1)) >= 0 && limit.compareTo(Duration.ofHours(1)) <= 0;
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(JdbcOwners.class);

    /**
     * The age has no sign: a row from the future is from before the database's clock was set back, or from another machine
     * that was ahead. Taken for new, a key that a dead mover left frozen would stay so until the clock has caught up.
     */
    private static final String ROW =
            "side, epoch, moving_to, abs(extract(epoch FROM clock_timestamp() - since)) AS age";

    private static final String OF_KEY = " FROM sluice.owner WHERE migration = ? AND key = ?";

    /**
     * First lock, then read, in one round trip. The lock does not wait for a freeze, so what the locking statement
     * returns may be the row from before it; the second statement's snapshot is taken under the lock. The first one
     * locks only a row that lets this grant pass: a key that is refused over and over must not be locked over and over,
     * or its drain would starve.
     */
    private static final String ADMIT_WRITE = "SELECT 1" + OF_KEY
            + " AND moving_to IS NULL AND side = ? AND epoch <= ? FOR KEY SHARE;"
            + " SELECT current_setting('transaction_isolation') AS isolation,"
            + " set_config('idle_in_transaction_session_timeout', ?, true), " + ROW
            + " FROM (SELECT 1) AS once LEFT JOIN sluice.owner ON migration = ? AND key = ?";

    private static final String ADD_MISSING = "INSERT INTO sluice.owner (migration, key, side, epoch)"
            + " VALUES (?, ?, 'legacy', 0) ON CONFLICT (migration, key) DO NOTHING";
    private static final String FREEZE = "UPDATE sluice.owner"
            + " SET moving_to = ?, epoch = greatest(epoch + 1, ?), since = clock_timestamp()"
            + " WHERE migration = ? AND key = ? AND moving_to IS NULL AND side <> ? RETURNING " + ROW;
    private static final String OPEN = "UPDATE sluice.owner"
            + " SET side = ?, moving_to = NULL, since = clock_timestamp(), handed = coalesce(?, handed)"
            + " WHERE migration = ? AND key = ? AND moving_to IS NOT NULL AND epoch = ? RETURNING " + ROW;

    /** A grant that passes without its row being locked saw the row change in between; that often is a fault. */
    private static final int ATTEMPTS = 10;

    private static final String QUERY_CANCELED = "57014";
    private static final String SERIALIZATION_FAILURE = "40001";
    /** Of class 40, which else says that nothing is left of the transaction. */
    private static final String COMPLETION_UNKNOWN = "40003";
    /** "sluice", so that two processes that start at once don't create the schema at once. */
    private static final long CREATING = 0x736c75696365L;

    private final DataSource dataSource;
    private final String migration;
    private final Limits limits;

    public JdbcOwners(DataSource dataSource, String migration) {
        this(dataSource, migration, Limits.DEFAULT);
    }

    /** @throws io.sluice.core.problem.RefusedException for a name that no plan may have */
    public JdbcOwners(DataSource dataSource, String migration, Limits limits) {
        this.dataSource = dataSource;
        this.migration = Plan.start(migration).migration();
        this.limits = limits;
    }

    /**
     * Creates the schema {@code sluice} and its tables where they are missing; needs the right to only then. Several
     * processes may do it at once. Who keeps the schema in migrations of his own takes {@link #tables()}.
     *
     * @throws NothingHappenedException when the database can't be reached or refuses it
     */
    public static void createTables(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            transaction(connection, lockTimeout(Limits.DEFAULT), within -> {
                try (Statement statement = within.createStatement()) {
                    statement.execute("SELECT pg_advisory_xact_lock(" + CREATING + ")");
                    if (!hasTables(statement)) {
                        statement.execute(tables());
                    }
                }
                return true;
            });
        } catch (SQLException failed) {
            throw new NothingHappenedException("the tables of sluice could not be created", failed);
        }
    }

    /** The SQL that {@link #createTables} runs. */
    public static String tables() {
        try (InputStream sql = Objects.requireNonNull(JdbcOwners.class.getResourceAsStream("tables.sql"))) {
            return new String(sql.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static boolean hasTables(Statement statement) throws SQLException {
        try (ResultSet found = statement.executeQuery(
                "SELECT to_regclass('sluice.owner') IS NOT NULL AND to_regclass('sluice.migration') IS NOT NULL")) {
            return found.next() && found.getBoolean(1);
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>Writes of a key that nobody has ever written or moved wait for each other once, until its row is there. The
     * lock is gone when the caller rolls back to a savepoint from before.
     *
     * @throws IllegalStateException when the transaction is not {@code READ COMMITTED}, since it would see the past, or
     *     when there is none (auto-commit)
     */
    @Override
    public void admitWrite(Connection transaction, Grant grant) {
        if (grant.isShadow()) {
            throw new IllegalArgumentException("a shadow's grant for key " + grant.key() + " only reads");
        }
        Keys.require(grant.key());
        try {
            if (transaction.getAutoCommit()) {
                throw new IllegalStateException("a write needs a transaction: auto-commit is on");
            }
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Seen seen = lockAndRead(transaction, grant);
                if (seen.owned() == null && grant.side() == Side.LEGACY) {
                    addMissing(transaction, grant.key());
                    continue;
                }
                Owned owned = seen.owned() == null ? Owned.neverMoved(grant.key()) : seen.owned();
                if (owned.isFrozen() || owned.side() != grant.side() || grant.epoch() < owned.epoch()) {
                    throw new OwnerChangedException(grant, owned);
                }
                if (seen.isLocked()) {
                    return;
                }
            }
            throw new NothingHappenedException(
                    "key " + grant.key() + " was moved in each of " + ATTEMPTS + " looks at it", null);
        } catch (SQLException failed) {
            if (SERIALIZATION_FAILURE.equals(failed.getSQLState())) {
                throw notReadCommitted("repeatable read or serializable", failed);
            }
            throw nothingHappened("a write of key " + grant.key() + " could not be admitted", failed);
        }
    }

    @Override
    public void admitRead(Connection transaction, Grant grant) {
        if (grant.isShadow()) {
            return;
        }
        Keys.require(grant.key());
        Owned owned;
        try {
            owned = read(transaction, grant.key());
        } catch (SQLException failed) {
            throw nothingHappened("a read of key " + grant.key() + " could not be admitted", failed);
        }
        // A freeze raises the epoch before anything has moved.
        boolean hasMoved = !owned.isFrozen() && grant.epoch() < owned.epoch();
        if (owned.side() != grant.side() || hasMoved) {
            throw new OwnerChangedException(grant, owned);
        }
    }

    @Override
    public Owned of(String key) {
        Keys.require(key);
        return Objects.requireNonNull(of(List.of(key)).get(key));
    }

    @Override
    public Map<String, Owned> of(Collection<String> keys) {
        return reading("who owns " + keys.size() + " keys", connection -> {
            Map<String, Owned> found = new HashMap<>();
            try (PreparedStatement query = connection.prepareStatement(
                    "SELECT key, " + ROW + " FROM sluice.owner WHERE migration = ? AND key = ANY (?)")) {
                query.setString(1, migration);
                query.setArray(2, connection.createArrayOf("text", keys.toArray()));
                for (Owned owned : rows(query)) {
                    found.put(owned.key(), owned);
                }
            }
            Map<String, Owned> all = new LinkedHashMap<>();
            keys.forEach(key -> all.put(key, found.getOrDefault(key, Owned.neverMoved(key))));
            return all;
        });
    }

    @Override
    public Owned freeze(String key, Side to, long epoch) {
        Keys.require(key);
        return step("freeze", key, connection -> {
            if (to == Side.NEW) {
                addMissing(connection, key);
            }
            try (PreparedStatement update = connection.prepareStatement(FREEZE)) {
                update.setString(1, to.label());
                update.setLong(2, epoch);
                update.setString(3, migration);
                update.setString(4, key);
                update.setString(5, to.label());
                return changedOrAsItIs(connection, update, key);
            }
        });
    }

    @Override
    public boolean drain(Owned frozen, Duration limit) {
        try (Connection connection = dataSource.getConnection()) {
            // Not the lock's limit, which counts anew for each write that is waited for.
            String waits = "SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = " + millis(limit);
            return transaction(connection, waits + "; " + idleTimeout(), within -> {
                // A key that is not frozen like this any more has nothing to wait for.
                try (PreparedStatement query = within.prepareStatement(
                        "SELECT 1" + OF_KEY + " AND moving_to IS NOT NULL AND epoch = ? FOR UPDATE")) {
                    query.setString(1, migration);
                    query.setString(2, frozen.key());
                    query.setLong(3, frozen.epoch());
                    query.executeQuery().close();
                    return true;
                }
            });
        } catch (SQLException failed) {
            if (QUERY_CANCELED.equals(failed.getSQLState())) {
                return false;
            }
            throw nothingHappened("key " + frozen.key() + " could not be drained", failed);
        }
    }

    @Override
    public Owned handOver(Owned frozen, KeyCopy<Connection> copy) {
        return step("hand-over", frozen.key(), connection -> {
            Owned owned = lock(connection, frozen.key());
            Side to = owned.movingTo();
            if (to == null || owned.epoch() != frozen.epoch()) {
                return owned;
            }
            Amounts handed = copy.copy(connection, owned.key(), owned.side(), to);
            return open(connection, owned, to, handed.toString());
        });
    }

    @Override
    public Owned release(Owned frozen) {
        return step("release", frozen.key(), connection -> open(connection, frozen, frozen.side(), null));
    }

    @Override
    public boolean mirror(String key, KeyCopy<Connection> copy) {
        Keys.require(key);
        return step("mirror", key, connection -> {
            addMissing(connection, key);
            Owned owned = lock(connection, key);
            if (owned.isFrozen()) {
                return false;
            }
            Amounts handed =
                    copy.copy(connection, key, owned.side(), owned.side().other());
            // Both sides say this now. Reconciliation holds the copy against it.
            try (PreparedStatement update =
                    connection.prepareStatement("UPDATE sluice.owner SET handed = ? WHERE migration = ? AND key = ?")) {
                update.setString(1, handed.toString());
                update.setString(2, migration);
                update.setString(3, key);
                update.executeUpdate();
            }
            return true;
        });
    }

    @Override
    public List<Owned> frozenFor(Duration atLeast, int limit) {
        return reading("frozen keys", connection -> {
            try (PreparedStatement query = connection.prepareStatement("SELECT key, " + ROW
                    + " FROM sluice.owner WHERE migration = ? AND moving_to IS NOT NULL"
                    + " AND abs(extract(epoch FROM clock_timestamp() - since)) * 1000000 >= ?"
                    + " ORDER BY age DESC, key LIMIT ?")) {
                query.setString(1, migration);
                query.setLong(2, TimeUnit.NANOSECONDS.toMicros(atLeast.toNanos()));
                query.setInt(3, limit);
                return rows(query);
            }
        });
    }

    private Seen lockAndRead(Connection connection, Grant grant) throws SQLException {
        try (PreparedStatement both = connection.prepareStatement(ADMIT_WRITE)) {
            both.setString(1, migration);
            both.setString(2, grant.key());
            both.setString(3, grant.side().label());
            both.setLong(4, grant.epoch());
            both.setString(5, millis(limits.idle()));
            both.setString(6, migration);
            both.setString(7, grant.key());
            both.execute();
            boolean isLocked;
            try (ResultSet locked = both.getResultSet()) {
                isLocked = locked.next();
            }
            both.getMoreResults();
            try (ResultSet row = both.getResultSet()) {
                row.next();
                String isolation = row.getString("isolation");
                if (!"read committed".equals(isolation)) {
                    throw notReadCommitted(isolation, null);
                }
                return new Seen(isLocked, row.getString("side") == null ? null : owned(grant.key(), row));
            }
        }
    }

    private record Seen(boolean isLocked, @Nullable Owned owned) {}

    private static IllegalStateException notReadCommitted(String isolation, @Nullable SQLException cause) {
        return new IllegalStateException(
                "a write's transaction must be read committed, so that it sees who owns its key now; it was "
                        + isolation,
                cause);
    }

    private void addMissing(Connection connection, String key) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(ADD_MISSING)) {
            insert.setString(1, migration);
            insert.setString(2, key);
            insert.executeUpdate();
        }
    }

    private Owned lock(Connection connection, String key) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT " + ROW + OF_KEY + " FOR UPDATE")) {
            return one(query, key);
        }
    }

    private Owned read(Connection connection, String key) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT " + ROW + OF_KEY)) {
            return one(query, key);
        }
    }

    private Owned open(Connection connection, Owned frozen, Side at, @Nullable String handed) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(OPEN)) {
            update.setString(1, at.label());
            update.setString(2, handed);
            update.setString(3, migration);
            update.setString(4, frozen.key());
            update.setLong(5, frozen.epoch());
            return changedOrAsItIs(connection, update, frozen.key());
        }
    }

    private Owned changedOrAsItIs(Connection connection, PreparedStatement update, String key) throws SQLException {
        try (ResultSet changed = update.executeQuery()) {
            if (changed.next()) {
                return owned(key, changed);
            }
        }
        return read(connection, key);
    }

    private Owned one(PreparedStatement query, String key) throws SQLException {
        query.setString(1, migration);
        query.setString(2, key);
        try (ResultSet row = query.executeQuery()) {
            return row.next() ? owned(key, row) : Owned.neverMoved(key);
        }
    }

    private static List<Owned> rows(PreparedStatement query) throws SQLException {
        List<Owned> found = new ArrayList<>();
        try (ResultSet row = query.executeQuery()) {
            while (row.next()) {
                found.add(owned(row.getString("key"), row));
            }
        }
        return List.copyOf(found);
    }

    private static Owned owned(String key, ResultSet row) throws SQLException {
        String movingTo = row.getString("moving_to");
        long age = Math.round(row.getDouble("age") * 1e6);
        return new Owned(
                key,
                Side.parse(row.getString("side")),
                row.getLong("epoch"),
                movingTo == null ? null : Side.parse(movingTo),
                Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(age)));
    }

    /** One step of a move in a transaction of its own, done once more when it is unknown whether it was committed. */
    private <R> R step(String what, String key, Work<R> work) {
        try {
            return attempt(work);
        } catch (BrokenCommitException unknown) {
            try {
                return attempt(work);
            } catch (SQLException failed) {
                unknown.addSuppressed(failed);
                throw new UnknownOutcomeException(what + " of key " + key, unknown);
            }
        } catch (SQLException failed) {
            throw nothingHappened("the " + what + " of key " + key + " could not be done", failed);
        }
    }

    private <R> R attempt(Work<R> work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return transaction(connection, lockTimeout(limits) + "; " + idleTimeout(), work);
        }
    }

    private <R> R reading(String what, Work<R> work) {
        try (Connection connection = dataSource.getConnection()) {
            return transaction(connection, lockTimeout(limits), work);
        } catch (SQLException failed) {
            throw nothingHappened(what + " could not be read", failed);
        }
    }

    @FunctionalInterface
    private interface Work<R> {
        R in(Connection connection) throws SQLException;
    }

    /** A commit whose answer did not come: it may have been done, or may still be. */
    private static final class BrokenCommitException extends SQLException {
        private static final long serialVersionUID = 1L;

        BrokenCommitException(SQLException cause) {
            super("the answer to a commit did not come", cause.getSQLState(), cause);
        }
    }

    private static <R> R transaction(Connection connection, String limits, Work<R> work) throws SQLException {
        boolean wasAutoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        boolean isOver = false;
        try {
            try (Statement begin = connection.createStatement()) {
                begin.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE; " + limits);
            }
            R result = work.in(connection);
            isOver = true;
            commit(connection);
            return result;
        } finally {
            giveBack(connection, wasAutoCommit, isOver);
        }
    }

    private static void commit(Connection connection) throws SQLException {
        try {
            connection.commit();
        } catch (SQLException failed) {
            throw isRolledBack(failed) ? failed : new BrokenCommitException(failed);
        }
    }

    /** Whether it was the database that said no: a constraint, a conflict, a transaction that had failed before. */
    private static boolean isRolledBack(SQLException failed) {
        String state = String.valueOf(failed.getSQLState());
        return !state.equals(COMPLETION_UNKNOWN)
                && (state.startsWith("23") || state.startsWith("25") || state.startsWith("40"));
    }

    /** Never throws: what went wrong before is what the caller has to know, and a broken connection is closed next. */
    private static void giveBack(Connection connection, boolean wasAutoCommit, boolean isOver) {
        try {
            if (!isOver) {
                connection.rollback();
            }
            connection.setAutoCommit(wasAutoCommit);
        } catch (SQLException broken) {
            LOG.debug("a connection broke in the middle of a step", broken);
        }
    }

    /** A mover that is suspended in the middle holds the key, and whoever would finish the move waits for it. */
    private String idleTimeout() {
        return "SET LOCAL idle_in_transaction_session_timeout = " + millis(limits.idle());
    }

    private static String lockTimeout(Limits limits) {
        return "SET LOCAL lock_timeout = " + millis(limits.lock());
    }

    /** For a setting, where 0 would mean for ever. */
    private static String millis(Duration limit) {
        long millis =
                limit.compareTo(Duration.ofDays(1)) > 0 ? Duration.ofDays(1).toMillis() : limit.toMillis();
        return String.valueOf(Math.max(millis, 1));
    }

    private static NothingHappenedException nothingHappened(String what, SQLException cause) {
        return new NothingHappenedException(what + ": " + cause.getMessage(), cause);
    }
}
