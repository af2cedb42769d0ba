package io.sluice.migration.owner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.NothingHappenedException;
import io.sluice.migration.branch.UnknownOutcomeException;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.Side;
import io.sluice.testing.Requirement;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

class JdbcOwnersTest extends OwnersContract<Connection> {
    private static final long EPOCH = Plan.start("m").epoch();
    private static final KeyCopy<Connection> NO_STATE = (transaction, key, from, to) -> Amounts.NONE;

    private static EmbeddedPostgres postgres;
    private static DataSource database;

    private final JdbcOwners owners = new JdbcOwners(database, "m");

    @BeforeAll
    static void start() throws IOException {
        postgres = EmbeddedPostgres.builder().start();
        database = postgres.getPostgresDatabase();
        JdbcOwners.createTables(database);
        execute(database, "CREATE TABLE ledger (side text, key text, amount bigint, PRIMARY KEY (side, key))");
    }

    @AfterAll
    static void stop() throws IOException {
        postgres.close();
    }

    @BeforeEach
    void empty() {
        execute(database, "TRUNCATE sluice.owner, ledger");
    }

    @Test
    void writersThatMeetANewKeyAtOnceAllPass() throws Exception {
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            writers.add(CompletableFuture.runAsync(() -> {
                try (Open<Connection> open = begin()) {
                    owners.admitWrite(open.transaction(), Grant.of("a", Side.LEGACY, 0));
                    open.commit();
                }
            }));
        }
        for (CompletableFuture<Void> writer : writers) {
            writer.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    @Requirement({"I7", "F70"})
    void aWriterThatWasSuspendedIsEndedAndTheDrainGoesOn() throws Exception {
        JdbcOwners hasty =
                new JdbcOwners(database, "m", new JdbcOwners.Limits(Duration.ofMillis(300), Duration.ofSeconds(5)));
        admitAndCommit("a");
        try (Open<Connection> suspended = begin()) {
            hasty.admitWrite(suspended.transaction(), Grant.of("a", Side.LEGACY, 0));
            put(suspended.transaction(), Side.LEGACY, "a", 4);
            Owned frozen = owners.freeze("a", Side.NEW, EPOCH);

            assertThat(owners.drain(frozen, Duration.ofSeconds(30))).isTrue();

            assertThat(owners.handOver(frozen, NO_STATE).side()).isEqualTo(Side.NEW);
            assertThatThrownBy(suspended.transaction()::commit).isInstanceOf(SQLException.class);
        }
        try (Open<Connection> open = begin()) {
            assertThat(amount(open.transaction(), Side.LEGACY, "a")).isZero();
        }
    }

    @Test
    @Requirement({"I7", "F70"})
    void aMoverThatWasSuspendedInItsHandOverIsEndedAndTheNextOneFinishes() throws Exception {
        JdbcOwners hasty =
                new JdbcOwners(database, "m", new JdbcOwners.Limits(Duration.ofMillis(300), Duration.ofSeconds(5)));
        admitAndCommit("a");
        Owned frozen = owners.freeze("a", Side.NEW, EPOCH);
        CountDownLatch wakes = new CountDownLatch(1);
        CountDownLatch copies = new CountDownLatch(1);
        CompletableFuture<Owned> suspended =
                CompletableFuture.supplyAsync(() -> hasty.handOver(frozen, (in, key, from, to) -> {
                    put(in, to, key, 4);
                    copies.countDown();
                    await().until(() -> wakes.await(1, TimeUnit.MILLISECONDS));
                    return Amounts.NONE;
                }));
        copies.await();

        assertThat(owners.handOver(frozen, NO_STATE).side()).isEqualTo(Side.NEW);

        wakes.countDown();
        assertThatThrownBy(() -> suspended.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(NothingHappenedException.class);
        try (Open<Connection> open = begin()) {
            assertThat(amount(open.transaction(), Side.NEW, "a")).isZero();
        }
    }

    @Test
    @Requirement({"I7", "F70"})
    void aMoverThatWasSuspendedInItsDrainIsEndedAndTheNextOneFinishes() throws Exception {
        CountDownLatch drained = new CountDownLatch(1);
        CountDownLatch wakes = new CountDownLatch(1);
        JdbcOwners hasty = new JdbcOwners(
                suspendedAtCommit(drained, wakes),
                "m",
                new JdbcOwners.Limits(Duration.ofMillis(300), Duration.ofSeconds(5)));
        admitAndCommit("a");
        Owned frozen = owners.freeze("a", Side.NEW, EPOCH);
        CompletableFuture<Boolean> suspended =
                CompletableFuture.supplyAsync(() -> hasty.drain(frozen, Duration.ofSeconds(2)));
        drained.await();

        try {
            assertThat(owners.handOver(frozen, NO_STATE).side()).isEqualTo(Side.NEW);
        } finally {
            wakes.countDown();
        }

        assertThatThrownBy(() -> suspended.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(NothingHappenedException.class);
    }

    private static DataSource suspendedAtCommit(CountDownLatch arrived, CountDownLatch wakes) {
        return (DataSource) Proxy.newProxyInstance(
                JdbcOwnersTest.class.getClassLoader(), new Class<?>[] {DataSource.class}, (source, get, none) -> {
                    Connection real = database.getConnection();
                    return Proxy.newProxyInstance(
                            JdbcOwnersTest.class.getClassLoader(),
                            new Class<?>[] {Connection.class},
                            (proxy, method, arguments) -> {
                                if (method.getName().equals("commit")) {
                                    arrived.countDown();
                                    wakes.await();
                                }
                                try {
                                    return method.invoke(real, arguments);
                                } catch (InvocationTargetException failed) {
                                    throw failed.getCause();
                                }
                            });
                });
    }

    @Test
    @Requirement("I7")
    void aFrozenKeyIsFoundAlthoughTheDatabasesClockWasSetBack() {
        Owned frozen = owners.freeze("a", Side.NEW, EPOCH);
        assertThat(owners.frozenFor(Duration.ofMinutes(1), 10)).isEmpty();

        execute(database, "UPDATE sluice.owner SET since = clock_timestamp() + interval '1 hour'");

        assertThat(owners.frozenFor(Duration.ofMinutes(1), 10))
                .extracting(Owned::key)
                .containsExactly("a");
        assertThat(owners.of("a").age()).isGreaterThan(Duration.ofMinutes(1));
        try (Open<Connection> open = begin()) {
            OwnerChangedException refused = catchThrowableOfType(
                    OwnerChangedException.class,
                    () -> owners.admitWrite(open.transaction(), Grant.of("a", Side.LEGACY, frozen.epoch())));
            assertThat(refused.owned().age()).isGreaterThan(Duration.ofMinutes(1));
        }
    }

    @Test
    void keysAreWhatTheyAreToTheLastCharacter() {
        List<String> keys = List.of(
                "a",
                "A",
                "a ",
                " a",
                "a'b",
                "a\"b",
                "a\\b",
                "{a,b}",
                "NULL",
                "null",
                "\u00e9",
                "e\u0301",
                "?",
                "$1",
                ":x",
                "a;b",
                "a--b",
                "\ud83d\ude00",
                "%",
                "\u4e2d".repeat(255));
        for (String key : keys) {
            owners.handOver(owners.freeze(key, Side.NEW, EPOCH), NO_STATE);
        }
        for (String key : keys) {
            assertThat(owners.of(key).side()).as(key).isEqualTo(Side.NEW);
        }
        assertThat(owners.of(keys).values()).allMatch(owned -> owned.side() == Side.NEW && owned.epoch() == EPOCH);
        assertThat(owners.of(keys)).hasSize(keys.size());
        assertThat(owners.of("n").side()).isEqualTo(Side.LEGACY);
    }

    @Test
    @Requirement("I7")
    void everyIsolationButReadCommittedIsRefused() throws SQLException {
        admitAndCommit("a");
        for (int isolation : List.of(Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE)) {
            for (String key : List.of("a", "never")) {
                try (Connection connection = database.getConnection()) {
                    connection.setTransactionIsolation(isolation);
                    connection.setAutoCommit(false);
                    assertThatThrownBy(() -> owners.admitWrite(connection, Grant.of(key, Side.LEGACY, 0)))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("must be read committed");
                }
            }
            try (Connection connection = database.getConnection()) {
                connection.setTransactionIsolation(isolation);
                connection.setAutoCommit(false);
                amount(connection, Side.LEGACY, "a"); // takes the snapshot
                Owned owned = owners.freeze("a", Side.NEW, EPOCH);
                assertThatThrownBy(() -> owners.admitWrite(connection, Grant.of("a", Side.LEGACY, EPOCH)))
                        .as("with a snapshot from before the freeze")
                        .isInstanceOf(IllegalStateException.class);
                owners.release(owned);
            }
        }
    }

    @Test
    void aWriteWithoutATransactionIsRefused() throws SQLException {
        try (Connection connection = database.getConnection()) {
            assertThatThrownBy(() -> owners.admitWrite(connection, Grant.of("a", Side.LEGACY, 0)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("auto-commit");
        }
    }

    /**
     * Why the fence reads in a second statement. One statement that locks and reads returns the row of its snapshot, since
     * its lock does not wait for an update of other columns, and so it lets a write pass that came after the freeze.
     */
    @Test
    @Requirement({"I7", "F70"})
    void oneStatementThatLocksAndReadsReturnsTheRowFromBeforeAFreeze() throws Exception {
        admitAndCommit("a");
        try (Open<Connection> open = begin()) {
            // The advisory lock holds the statement between its snapshot and its lock of the row.
            try (Connection gate = database.getConnection()) {
                execute(gate, "SELECT pg_advisory_lock(1)");
                CompletableFuture<String> asOneStatement = CompletableFuture.supplyAsync(() -> text(
                        open.transaction(),
                        "SELECT coalesce(moving_to, 'open') FROM sluice.owner,"
                                + " (SELECT pg_advisory_xact_lock_shared(1) OFFSET 0) AS gate"
                                + " WHERE migration = 'm' AND key = 'a' FOR KEY SHARE OF owner"));
                await().until(() -> "1"
                        .equals(text(
                                gate, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")));
                owners.freeze("a", Side.NEW, EPOCH);
                execute(gate, "SELECT pg_advisory_unlock(1)");

                assertThat(asOneStatement.get(30, TimeUnit.SECONDS))
                        .as("committed before the row was locked, and yet not seen")
                        .isEqualTo("open");
            }
            assertThat(text(open.transaction(), "SELECT moving_to FROM sluice.owner WHERE key = 'a'"))
                    .as("the second statement's snapshot")
                    .isEqualTo("new");
        }
    }

    /** The table's lock stops what locks a row, but not what only reads: so the freeze falls between the two. */
    @Test
    @Requirement({"I7", "F70"})
    void aFreezeThatIsCommittedJustBeforeTheFenceLocksIsSeen() throws Exception {
        admitAndCommit("a");
        try (Open<Connection> writer = begin();
                Open<Connection> gate = begin()) {
            execute(gate.transaction(), "LOCK TABLE sluice.owner IN EXCLUSIVE MODE");
            CompletableFuture<Void> write = CompletableFuture.runAsync(
                    () -> owners.admitWrite(writer.transaction(), Grant.of("a", Side.LEGACY, EPOCH)));
            await().until(() -> "1"
                    .equals(text(
                            database, "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'relation'")));
            execute(gate.transaction(), "UPDATE sluice.owner SET moving_to = 'new', epoch = " + EPOCH);
            gate.commit();

            assertThatThrownBy(() -> write.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(OwnerChangedException.class);
        }
    }

    @Test
    @Requirement({"I7", "F70"})
    void aHotKeyIsFrozenAtOnceAndDrainedAlthoughItsWritersNeverStopTrying() throws Exception {
        admitAndCommit("hot");
        AtomicBoolean isFrozen = new AtomicBoolean();
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicInteger before = new AtomicInteger();
        AtomicInteger passedAfter = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            writers.add(CompletableFuture.runAsync(() -> {
                try (Connection connection = database.getConnection()) {
                    connection.setAutoCommit(false);
                    while (!isOver.get()) {
                        boolean isLate = isFrozen.get();
                        try {
                            owners.admitWrite(connection, Grant.of("hot", Side.LEGACY, EPOCH));
                            (isLate ? passedAfter : before).incrementAndGet();
                            // The others are between fence and commit meanwhile, so that the row is always held.
                            text(connection, "SELECT pg_sleep(0.002)");
                            connection.commit();
                        } catch (OwnerChangedException frozen) {
                            refused.incrementAndGet();
                            // Refused transactions that stay open a while must not hold up the drain either.
                            text(connection, "SELECT pg_sleep(0.05)");
                            connection.rollback();
                        }
                    }
                } catch (SQLException failed) {
                    throw new IllegalStateException(failed);
                }
            }));
        }
        try {
            await().until(() -> before.get() > 100);
            Owned frozen = owners.freeze("hot", Side.NEW, EPOCH);
            isFrozen.set(true);
            await().until(() -> refused.get() > 12);
            boolean isDrained = owners.drain(frozen, Duration.ofSeconds(2));
            assertThat(isDrained).isTrue();
            await().until(() -> refused.get() > 30);
        } finally {
            isOver.set(true);
        }
        for (CompletableFuture<Void> writer : writers) {
            writer.get(30, TimeUnit.SECONDS);
        }
        assertThat(passedAfter).hasValue(0);
    }

    @Test
    void theCopysAmountsAreKept() {
        Owned frozen = owners.freeze("a", Side.NEW, EPOCH);
        owners.handOver(frozen, (transaction, key, from, to) -> Amounts.parse("available=7 reserved=3"));
        owners.release(owners.freeze("a", Side.LEGACY, EPOCH));

        assertThat(text(database, "SELECT handed FROM sluice.owner WHERE key = 'a'"))
                .isEqualTo("available=7 reserved=3");
    }

    @Test
    void aStepWhoseCommitWasDoneButNotAnsweredIsFoundDone() {
        BreakingCommits breaking = new BreakingCommits(database);
        JdbcOwners broken = new JdbcOwners(breaking.source(), "m");
        AtomicInteger copies = new AtomicInteger();

        breaking.next(true);
        Owned frozen = broken.freeze("a", Side.NEW, EPOCH);
        assertThat(frozen.movingTo()).isEqualTo(Side.NEW);
        assertThat(frozen.epoch()).as("frozen once").isEqualTo(EPOCH);

        breaking.next(true);
        Owned owned = broken.handOver(frozen, (transaction, key, from, to) -> {
            copies.incrementAndGet();
            return Amounts.NONE;
        });
        assertThat(owned.side()).isEqualTo(Side.NEW);
        assertThat(copies).hasValue(1);
    }

    @Test
    void aStepWhoseCommitGotLostIsDoneAgain() {
        BreakingCommits breaking = new BreakingCommits(database);
        JdbcOwners broken = new JdbcOwners(breaking.source(), "m");

        breaking.next(false);
        Owned frozen = broken.freeze("a", Side.NEW, EPOCH);
        assertThat(owners.of("a").isFrozen()).isTrue();
        breaking.next(false);
        assertThat(broken.release(frozen).isFrozen()).isFalse();
        assertThat(owners.of("a").isFrozen()).isFalse();
    }

    @Test
    void aStepWhoseOutcomeCannotBeFoundOutIsUnknown() {
        BreakingCommits breaking = new BreakingCommits(database);
        JdbcOwners broken = new JdbcOwners(breaking.source(), "m");

        breaking.next(true);
        breaking.thenUnreachable();

        assertThatThrownBy(() -> broken.freeze("a", Side.NEW, EPOCH))
                .isInstanceOf(UnknownOutcomeException.class)
                .hasMessageContaining("freeze of key a");
        assertThat(owners.of("a").isFrozen()).isTrue();
    }

    @Test
    void nothingHappensWithoutADatabase() throws SQLException {
        BreakingCommits breaking = new BreakingCommits(database);
        breaking.thenUnreachable();
        JdbcOwners unreachable = new JdbcOwners(breaking.source(), "m");
        for (Supplier<Object> step : List.<Supplier<Object>>of(
                () -> unreachable.of("a"),
                () -> unreachable.freeze("a", Side.NEW, EPOCH),
                () -> unreachable.mirror("a", NO_STATE),
                () -> unreachable.frozenFor(Duration.ZERO, 1))) {
            assertThatThrownBy(step::get).isExactlyInstanceOf(NothingHappenedException.class);
        }
        Connection closed = database.getConnection();
        closed.setAutoCommit(false);
        closed.close();
        assertThatThrownBy(() -> owners.admitWrite(closed, Grant.of("a", Side.LEGACY, 0)))
                .isExactlyInstanceOf(NothingHappenedException.class);
        assertThatThrownBy(() -> owners.admitRead(closed, Grant.of("a", Side.LEGACY, 0)))
                .isExactlyInstanceOf(NothingHappenedException.class);
    }

    @Test
    void aStepThatWaitsTooLongForALockGivesUpAndHasChangedNothing() {
        JdbcOwners hasty =
                new JdbcOwners(database, "m", new JdbcOwners.Limits(Duration.ofSeconds(30), Duration.ofMillis(100)));
        admitAndCommit("a");
        try (Open<Connection> admitted = begin()) {
            hasty.admitWrite(admitted.transaction(), Grant.of("a", Side.LEGACY, 0));
            Owned frozen = hasty.freeze("a", Side.NEW, EPOCH);
            assertThat(catchThrowableOfType(NothingHappenedException.class, () -> hasty.handOver(frozen, NO_STATE)))
                    .hasMessageContaining("lock timeout");
            assertThat(owners.of("a").isFrozen()).isTrue();
        }
    }

    @Test
    void worksReadCommittedWhateverTheDefaultAndGivesConnectionsBackAsTheyWere() throws SQLException {
        PGSimpleDataSource strict = new PGSimpleDataSource();
        strict.setUrl(postgres.getJdbcUrl("postgres", "postgres"));
        strict.setOptions("-c default_transaction_isolation=serializable -c default_transaction_read_only=on");
        try (Connection connection = strict.getConnection()) {
            connection.setAutoCommit(false);
            JdbcOwners careful = new JdbcOwners(alwaysThis(connection), "m");
            AtomicReference<String> during = new AtomicReference<>("");

            careful.handOver(careful.freeze("a", Side.NEW, EPOCH), (transaction, key, from, to) -> {
                during.set(text(transaction, "SELECT current_setting('transaction_isolation')"));
                return Amounts.NONE;
            });

            assertThat(during).hasValue("read committed");
            assertThat(connection.getAutoCommit()).isFalse();
            assertThat(text(
                            connection,
                            "SELECT current_setting('transaction_isolation') || ' ' || current_setting('transaction_read_only')"
                                    + " || ' ' || current_setting('lock_timeout')"))
                    .isEqualTo("serializable on 0");
        }
    }

    private static DataSource alwaysThis(Connection connection) {
        Object unclosed = Proxy.newProxyInstance(
                JdbcOwnersTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) ->
                        method.getName().equals("close") ? null : method.invoke(connection, arguments));
        return (DataSource) Proxy.newProxyInstance(
                JdbcOwnersTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> unclosed);
    }

    @Test
    void tablesMayBeCreatedAgainAndByManyAtOnce() throws Exception {
        try (Connection connection = database.getConnection()) {
            execute(connection, "CREATE DATABASE fresh");
        }
        DataSource fresh = postgres.getDatabase("postgres", "fresh");
        List<CompletableFuture<Void>> creators = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            creators.add(CompletableFuture.runAsync(() -> JdbcOwners.createTables(fresh)));
        }
        for (CompletableFuture<Void> creator : creators) {
            creator.get(30, TimeUnit.SECONDS);
        }
        assertThatCode(() -> execute(fresh, JdbcOwners.tables())).doesNotThrowAnyException();
        assertThat(new JdbcOwners(fresh, "m").of("a").side()).isEqualTo(Side.LEGACY);
    }

    @Test
    void migrationsDoNotSeeEachOther() {
        owners.freeze("a", Side.NEW, EPOCH);
        assertThat(new JdbcOwners(database, "other").of("a")).isEqualTo(Owned.neverMoved("a"));
        assertThat(new JdbcOwners(database, "other").frozenFor(Duration.ZERO, 10))
                .isEmpty();
    }

    private void admitAndCommit(String key) {
        try (Open<Connection> open = begin()) {
            owners.admitWrite(open.transaction(), Grant.of(key, Side.LEGACY, 0));
            open.commit();
        }
    }

    @Override
    protected Owners<Connection> owners() {
        return owners;
    }

    @Override
    protected Fence<Connection> fence() {
        return owners;
    }

    @Override
    protected Open<Connection> begin() {
        Connection connection;
        try {
            connection = database.getConnection();
            connection.setAutoCommit(false);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
        return new Open<>() {
            @Override
            public Connection transaction() {
                return connection;
            }

            @Override
            public void commit() {
                try {
                    connection.commit();
                } catch (SQLException failed) {
                    throw new IllegalStateException(failed);
                }
            }

            @Override
            public void close() {
                try {
                    connection.close();
                } catch (SQLException failed) {
                    throw new IllegalStateException(failed);
                }
            }
        };
    }

    @Override
    protected void put(Connection transaction, Side side, String key, long amount) {
        try (PreparedStatement upsert = transaction.prepareStatement("INSERT INTO ledger VALUES (?, ?, ?)"
                + " ON CONFLICT (side, key) DO UPDATE SET amount = excluded.amount")) {
            upsert.setString(1, side.label());
            upsert.setString(2, key);
            upsert.setLong(3, amount);
            upsert.executeUpdate();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    protected long amount(Connection transaction, Side side, String key) {
        try (PreparedStatement query =
                transaction.prepareStatement("SELECT amount FROM ledger WHERE side = ? AND key = ?")) {
            query.setString(1, side.label());
            query.setString(2, key);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void execute(DataSource source, String sql) {
        try (Connection connection = source.getConnection()) {
            execute(connection, sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String text(DataSource source, String query) {
        try (Connection connection = source.getConnection()) {
            return text(connection, query);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static String text(Connection connection, String query) {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** A network that breaks behind a commit, once, and then perhaps for good. */
    private static final class BreakingCommits {
        private final DataSource real;
        private final AtomicReference<Boolean> nextIsDone = new AtomicReference<>();
        private final AtomicBoolean isUnreachable = new AtomicBoolean();
        private boolean isUnreachableAfterwards;

        BreakingCommits(DataSource real) {
            this.real = real;
        }

        /** @param isDone whether the next commit reaches the database before the connection breaks */
        void next(boolean isDone) {
            nextIsDone.set(isDone);
        }

        void thenUnreachable() {
            isUnreachableAfterwards = true;
            isUnreachable.set(nextIsDone.get() == null);
        }

        DataSource source() {
            return (DataSource) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                        if (isUnreachable.get()) {
                            throw new SQLException("connection refused", "08001");
                        }
                        return connection(real.getConnection());
                    });
        }

        private Connection connection(Connection connection) {
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("commit")) {
                            Boolean isDone = nextIsDone.getAndSet(null);
                            if (isDone != null) {
                                if (isDone) {
                                    connection.commit();
                                }
                                connection.close();
                                isUnreachable.set(isUnreachableAfterwards);
                                throw new SQLException("an I/O error occurred while reading", "08006");
                            }
                        }
                        try {
                            return method.invoke(connection, arguments);
                        } catch (InvocationTargetException failed) {
                            throw failed.getCause();
                        }
                    });
        }
    }
}
