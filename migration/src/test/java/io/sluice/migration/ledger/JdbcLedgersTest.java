package io.sluice.migration.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.core.problem.RefusedException;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.ledger.Finding.Kind;
import io.sluice.migration.owner.Amounts;
import io.sluice.migration.owner.JdbcOwners;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.owner.OwnerChangedException;
import io.sluice.migration.plan.Side;
import io.sluice.testing.Requirement;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On a real PostgreSQL with two small ledgers, and moves by real owners. */
@Requirement("I9")
class JdbcLedgersTest {
    private static final String LEGACY = "SELECT sku, available, reserved FROM legacy_stock";
    private static final String NEWER = "SELECT sku, available, reserved FROM new_stock";
    private static final long EPOCH = 1L << 20;

    /** The whole state of a key is its row. */
    private static final KeyCopy<Connection> COPY = (transaction, key, from, to) -> {
        String sql = "INSERT INTO " + table(to) + " SELECT * FROM " + table(from) + " WHERE sku = ?"
                + " ON CONFLICT (sku) DO UPDATE SET available = excluded.available, reserved = excluded.reserved"
                + " RETURNING available, reserved";
        try (PreparedStatement copy = transaction.prepareStatement(sql)) {
            copy.setString(1, key);
            try (ResultSet row = copy.executeQuery()) {
                return row.next()
                        ? Amounts.of(Map.of("available", row.getLong(1), "reserved", row.getLong(2)))
                        : Amounts.NONE;
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    };

    private static EmbeddedPostgres postgres;
    private static DataSource database;

    private final JdbcOwners owners = new JdbcOwners(database, "inventory");
    private final List<KeyReport> reports = new ArrayList<>();

    @BeforeAll
    static void startPostgres() throws IOException {
        postgres = EmbeddedPostgres.builder().start();
        database = postgres.getPostgresDatabase();
        JdbcOwners.createTables(database);
    }

    @AfterAll
    static void stopPostgres() throws IOException {
        postgres.close();
    }

    @BeforeEach
    void emptyLedgers() {
        sql("TRUNCATE sluice.owner");
        for (String table : List.of("legacy_stock", "new_stock")) {
            sql("DROP TABLE IF EXISTS " + table);
            sql("CREATE TABLE " + table
                    + " (sku text PRIMARY KEY, available bigint NOT NULL, reserved bigint NOT NULL)");
        }
    }

    @Test
    void reportsWhatMovedAndWhatStayed() {
        stock("a", 7);
        stock("b", 5);
        move("b", Side.NEW);

        Totals totals = reconcile();

        assertThat(totals.addsUp()).isTrue();
        assertThat(totals.of(Side.LEGACY)).isEqualTo(owns(1, 7));
        assertThat(totals.of(Side.NEW)).isEqualTo(owns(1, 5));
        assertThat(totals.merged()).isEqualTo(owns(2, 12));
        assertThat(totals.inBoth()).isOne();
    }

    @Test
    void findsWhatWasWrittenPastTheFence() {
        stock("a", 7);
        move("a", Side.NEW);
        sql("UPDATE legacy_stock SET available = available - 1");

        assertThat(reconcile().findings()).isEqualTo(Map.of(Kind.IN_BOTH, 1L));
    }

    @Test
    void findsWhatWasWrittenBehindAWayBack() {
        stock("a", 7);
        move("a", Side.NEW);
        sql("UPDATE new_stock SET available = 4");
        move("a", Side.LEGACY);
        assertThat(reconcile().addsUp()).isTrue();

        sql("UPDATE new_stock SET reserved = 1");

        assertThat(reconcile().findings()).isEqualTo(Map.of(Kind.IN_BOTH, 1L));
    }

    @Test
    void aCopyThatAMirroringRenewedIsNoFindingButAWriteToItIs() {
        stock("a", 7);
        move("a", Side.NEW);
        sql("UPDATE new_stock SET available = 4");
        owners.mirror("a", COPY);
        assertThat(reconcile().addsUp()).isTrue();

        sql("UPDATE legacy_stock SET available = 3");

        assertThat(reconcile().findings()).isEqualTo(Map.of(Kind.IN_BOTH, 1L));
    }

    @Test
    void findsLostFrozenAndNegativeKeys() {
        stock("frozen", 1);
        stock("lost", 1);
        stock("oversold", 1);
        move("lost", Side.NEW);
        owners.freeze("frozen", Side.NEW, EPOCH);
        sql("DELETE FROM new_stock");
        sql("UPDATE legacy_stock SET available = -1 WHERE sku = 'oversold'");

        Totals totals = reconcile(Duration.ZERO);

        assertThat(totals.findings()).isEqualTo(Map.of(Kind.MISSING, 1L, Kind.FROZEN, 1L, Kind.NEGATIVE, 1L));
        assertThat(totals.moving()).isOne();
        assertThat(reconcile().findings()).containsOnlyKeys(Kind.MISSING, Kind.NEGATIVE);
    }

    /** Writers and movers that never rest, and 60 reports of a sum that is always the same. */
    @Test
    void aReportUnderLoadFindsNothingFalse() throws InterruptedException {
        int keys = 40;
        for (int i = 0; i < keys; i++) {
            stock(key(i), 100);
        }
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicLong moves = new AtomicLong();
        AtomicLong writes = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<CompletableFuture<Void>> running = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                running.add(CompletableFuture.runAsync(() -> moveUntil(isOver, keys, moves), threads));
                running.add(CompletableFuture.runAsync(() -> writeUntil(isOver, keys, writes), threads));
            }
            await().until(() -> moves.get() > 10 && writes.get() > 10);
            for (int i = 0; i < 60; i++) {
                long movesBefore = moves.get();
                Totals totals = reconcile();
                assertThat(totals.addsUp()).as("report %s: %s", i, reports).isTrue();
                assertThat(totals.merged().keys()).isEqualTo(keys);
                assertThat(sum(totals))
                        .as("available and reserved, whoever has them")
                        .isEqualTo(keys * 100L);
                await().until(() -> moves.get() > movesBefore);
            }
            isOver.set(true);
            running.forEach(CompletableFuture::join);
        } finally {
            isOver.set(true);
            threads.shutdownNow();
        }
    }

    @Test
    void keysAreSortedAlikeWhateverTheCollation() {
        sql("CREATE COLLATION IF NOT EXISTS words (provider = icu, locale = 'en')");
        sql("ALTER TABLE legacy_stock ALTER sku TYPE text COLLATE words");
        for (String sku : List.of("b-1", "B1", "b 1", "ä", "😀", "\uffee", "a_1", "A1", "库存")) {
            stock(sku, 1);
            move(sku, Side.NEW);
        }

        Totals totals = reconcile();

        assertThat(totals.addsUp()).as("%s", reports).isTrue();
        assertThat(totals.inBoth()).isEqualTo(9);
    }

    @Test
    void keysThatAreNumbersAreSortedAsTheirText() {
        sql("ALTER TABLE legacy_stock ALTER sku TYPE bigint USING sku::bigint");
        sql("INSERT INTO legacy_stock VALUES (9, 1, 0), (10, 1, 0), (100, 1, 0)");
        sql("INSERT INTO new_stock VALUES ('9', 1, 0), ('10', 1, 0), ('100', 1, 0)");
        owners.freeze("10", Side.NEW, EPOCH);

        assertThat(reconcile().inBoth()).isEqualTo(3);
    }

    @Test
    void sumsAndOwnersOfAHundredThousandKeysAreReadInPieces() {
        sql("INSERT INTO legacy_stock SELECT 'sku-' || i, 10, 1 FROM generate_series(1, 100000) i");
        sql("INSERT INTO new_stock SELECT sku, 8, 3 FROM legacy_stock WHERE random() < 2");
        sql("INSERT INTO sluice.owner (migration, key, side, epoch, handed)"
                + " SELECT 'inventory', sku, 'new', 1048576, 'available=10 reserved=1' FROM legacy_stock");
        long[] told = {0};

        Totals totals = ledgers(LEGACY, NEWER).reconcile(new Reconciliation(Duration.ofSeconds(10)), key -> told[0]++);

        assertThat(told[0]).isEqualTo(100_000);
        assertThat(totals.addsUp()).isTrue();
        assertThat(totals.merged())
                .isEqualTo(new Totals.Owns(100_000, Amounts.of(Map.of("available", 800_000L, "reserved", 300_000L))));
    }

    @Test
    void aMigrationThatWasMistypedIsRefusedWithTheOnesThereAre() {
        stock("a", 1);
        move("a", Side.NEW);

        assertThatThrownBy(() -> new JdbcLedgers(database, "invetory", LEGACY, NEWER)
                        .reconcile(new Reconciliation(Duration.ZERO), reports::add))
                .isInstanceOf(RefusedException.class)
                .hasMessage("migration was invetory, but must be one that this database knows: inventory");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            SELECT sku, availible FROM legacy_stock                    | column "availible" does not exist
            SELECT sku FROM legacy_stock                               | legacy was the key alone, but must give an amount
            SELECT sku, available + 0 FROM legacy_stock                | legacy column 2 was ?column?, but must have a name
            SELECT sku, available, 1 AS available FROM legacy_stock    | legacy column 3 was available, but must have a name of its own
            SELECT sku, NULL::bigint AS n FROM legacy_stock            | legacy n of a was null, but must be a whole number
            SELECT sku, 1.5::numeric AS n FROM legacy_stock            | legacy n of a was 1.5, but must be a whole number
            SELECT sku, 1e0::float8 AS n FROM legacy_stock             | legacy n of a was 1.0, but must be a whole number
            SELECT sku, 1/(available-1) AS n FROM legacy_stock         | division by zero
            SELECT 'a', 1 AS n FROM legacy_stock, generate_series(1,2) | legacy was a behind a, but must give each key once
            SELECT '', 1 AS n                                          | legacy was a key , but must have 1..255 characters
            DELETE FROM legacy_stock RETURNING sku, available          | must be a query that the database can run
            """)
    void aQueryThatGivesSomethingElseIsRefused(String query, String why) {
        stock("a", 1);
        owners.freeze("a", Side.NEW, EPOCH);

        assertThatThrownBy(() -> ledgers(query, NEWER).reconcile(new Reconciliation(Duration.ZERO), reports::add))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(why);
    }

    @Test
    void whatStandsInQuotesAndCommentsOfAQueryEndsNothing() {
        stock("a);", 1);
        owners.freeze("a", Side.NEW, EPOCH);
        String query =
                LEGACY + " AS \");\" -- );\n WHERE sku NOT IN (');', E'\\');', $$);$$, $q$);$$ $q$) /* ) /* ; */ ) */";

        Totals totals = ledgers(query, NEWER).reconcile(new Reconciliation(Duration.ofDays(1)), reports::add);

        assertThat(totals.merged()).isEqualTo(owns(2, 1));
    }

    @Test
    void aQueryMayEndAsPeopleEndIt() {
        stock("a", 1);
        owners.freeze("a", Side.NEW, EPOCH);

        Totals totals = ledgers(LEGACY + " ORDER BY sku DESC;\n", NEWER + " -- all of it")
                .reconcile(new Reconciliation(Duration.ofDays(1)), reports::add);

        assertThat(totals.merged()).isEqualTo(owns(1, 1));
    }

    @Test
    void aQueryCannotChangeAnything() {
        stock("a", 1);
        owners.freeze("a", Side.NEW, EPOCH);
        sql(
                "CREATE OR REPLACE FUNCTION eat() RETURNS bigint LANGUAGE sql AS 'DELETE FROM legacy_stock RETURNING 1::bigint'");

        assertThatThrownBy(() -> ledgers("SELECT sku, eat() AS n FROM legacy_stock", NEWER)
                        .reconcile(new Reconciliation(Duration.ZERO), reports::add))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("read-only");
        assertThat(reconcile(Duration.ofDays(1)).merged()).isEqualTo(owns(1, 1));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            SELECT 'a' AS k, 1 AS n) AS ledger(sluice_key); COMMIT; BEGIN; DELETE FROM legacy_stock; COMMIT; SELECT * FROM (SELECT 'a' AS k, 1 AS n
            SELECT 'a)' AS k, 1 AS n) AS ledger(sluice_key); ROLLBACK; DELETE FROM legacy_stock; SELECT * FROM (SELECT 'a(' AS k, 1 AS n
            SELECT $q$($q$ AS k, 1 AS n) AS ledger(sluice_key); COMMIT; DELETE FROM legacy_stock; SELECT * FROM (SELECT 'a' AS k, 1 AS n
            SELECT E'(\\'(' AS k, 1 AS n) AS ledger(sluice_key); COMMIT; DELETE FROM legacy_stock; SELECT * FROM (SELECT 'a' AS k, 1 AS n
            SELECT 'a' AS "(", 1 AS n /* ( /* ( */ ( */) AS ledger(sluice_key); COMMIT; DELETE FROM legacy_stock; SELECT * FROM (SELECT 'a', 1 AS n
            """)
    void aQueryThatLeavesItsPlaceIsRefusedAndNothingOfItIsRun(String query) {
        stock("a", 1);
        owners.freeze("a", Side.NEW, EPOCH);

        assertThatThrownBy(() -> ledgers(query, NEWER).reconcile(new Reconciliation(Duration.ZERO), reports::add))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("must be one query: no ; in it");
        assertThat(reconcile(Duration.ofDays(1)).merged()).isEqualTo(owns(1, 1));
    }

    @Test
    void aDatabaseThatIsNotThereIsNoFaultOfTheQuery() throws IOException {
        EmbeddedPostgres gone = EmbeddedPostgres.builder().start();
        DataSource nowhere = gone.getPostgresDatabase();
        gone.close();

        assertThatThrownBy(() -> new JdbcLedgers(nowhere, "inventory", LEGACY, NEWER)
                        .reconcile(new Reconciliation(Duration.ZERO), reports::add))
                .isInstanceOf(UnreadableLedgerException.class);
    }

    private void moveUntil(AtomicBoolean isOver, int keys, AtomicLong moves) {
        while (!isOver.get()) {
            String key = key(ThreadLocalRandom.current().nextInt(keys));
            move(key, owners.of(key).side().other());
            moves.incrementAndGet();
        }
    }

    /** Takes one piece out of stock and reserves it, or gives it back: the sum stays. */
    private void writeUntil(AtomicBoolean isOver, int keys, AtomicLong writes) {
        while (!isOver.get()) {
            String key = key(ThreadLocalRandom.current().nextInt(keys));
            Owned owned = owners.of(key);
            int taken = ThreadLocalRandom.current().nextBoolean() ? 1 : -1;
            try (Connection connection = database.getConnection()) {
                connection.setAutoCommit(false);
                owners.admitWrite(connection, Grant.of(key, owned.side(), owned.epoch()));
                try (PreparedStatement update = connection.prepareStatement("UPDATE " + table(owned.side())
                        + " SET available = available - ?, reserved = reserved + ? WHERE sku = ?"
                        + " AND available >= ? AND reserved >= -(?)")) {
                    update.setInt(1, taken);
                    update.setInt(2, taken);
                    update.setString(3, key);
                    update.setInt(4, taken);
                    update.setInt(5, taken);
                    writes.addAndGet(update.executeUpdate());
                }
                connection.commit();
            } catch (OwnerChangedException moved) {
                // Closing the connection rolls back; the next turn looks again.
            } catch (SQLException failed) {
                throw new IllegalStateException(failed);
            }
        }
    }

    private static String key(int i) {
        return "sku-" + i;
    }

    private static long sum(Totals totals) {
        return totals.merged().sums().byName().values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private static Totals.Owns owns(long keys, long available) {
        return new Totals.Owns(keys, Amounts.of(Map.of("available", available, "reserved", 0L)));
    }

    private void move(String key, Side to) {
        Owned frozen = owners.freeze(key, to, EPOCH);
        if (frozen.isFrozen() && owners.drain(frozen, Duration.ofSeconds(10))) {
            owners.handOver(frozen, COPY);
        }
    }

    private Totals reconcile() {
        return reconcile(Duration.ofSeconds(10));
    }

    private Totals reconcile(Duration standsStill) {
        reports.clear();
        return ledgers(LEGACY, NEWER).reconcile(new Reconciliation(standsStill), reports::add);
    }

    private static JdbcLedgers ledgers(String legacy, String newer) {
        return new JdbcLedgers(database, "inventory", legacy, newer);
    }

    private static void stock(String sku, long available) {
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO legacy_stock VALUES (?, ?, 0)")) {
            insert.setString(1, sku);
            insert.setLong(2, available);
            insert.executeUpdate();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static String table(Side side) {
        return side == Side.LEGACY ? "legacy_stock" : "new_stock";
    }

    private static void sql(String statement) {
        try (Connection connection = database.getConnection();
                Statement run = connection.createStatement()) {
            run.execute(statement);
        } catch (SQLException failed) {
            throw new IllegalStateException(statement, failed);
        }
    }
}
