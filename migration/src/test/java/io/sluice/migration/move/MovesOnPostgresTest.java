package io.sluice.migration.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.migration.branch.Grant;
import io.sluice.migration.owner.Amounts;
import io.sluice.migration.owner.JdbcOwners;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.owner.OwnerChangedException;
import io.sluice.migration.plan.Directive;
import io.sluice.migration.plan.JdbcDirectives;
import io.sluice.migration.plan.Pace;
import io.sluice.migration.plan.Plan;
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
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Real rows, real threads: several processes' moves and writes against one PostgreSQL. */
class MovesOnPostgresTest {
    private static final int KEYS = 60;
    private static final long EACH = 1_000;
    private static final Moves.Settings SETTINGS =
            new Moves.Settings(16, 2, Duration.ofSeconds(1), Duration.ofMillis(100));

    private static EmbeddedPostgres postgres;
    private static DataSource database;

    private final JdbcOwners owners = new JdbcOwners(database, "m");
    private final KeyCopy<Connection> copy = MovesOnPostgresTest::copy;
    private final AtomicLong taken = new AtomicLong();
    private final AtomicBoolean isOver = new AtomicBoolean();

    @BeforeAll
    static void startDatabase() throws IOException, SQLException {
        postgres = EmbeddedPostgres.builder().start();
        database = postgres.getPostgresDatabase();
        JdbcOwners.createTables(database);
        execute("CREATE TABLE stock (side text, key text, amount bigint, PRIMARY KEY (side, key))");
        execute("INSERT INTO stock SELECT 'legacy', 'k' || i, " + EACH + " FROM generate_series(1, " + KEYS + ") AS i");
    }

    @AfterAll
    static void stopDatabase() throws IOException {
        postgres.close();
    }

    @Test
    @Requirement({"I7", "I8", "F70"})
    void noStockIsLostWhileTwoProcessesMoveUnderLoadAndOneIsKilled() throws Exception {
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        try (JdbcDirectives directives = new JdbcDirectives(database, "m");
                JdbcDirectives others = new JdbcDirectives(database, "m")) {
            directives.put(new Directive(1, Plan.start("m").withPercent(100), new Pace(200, false)));
            for (int i = 0; i < 3; i++) {
                long seed = i;
                writers.add(CompletableFuture.runAsync(() -> write(seed)));
            }
            AtomicInteger handOvers = new AtomicInteger();
            Moves killed = new Moves(
                    owners,
                    new Mover<>(
                            owners,
                            copy,
                            Duration.ofSeconds(2),
                            new MoveListener() {
                                @Override
                                public void before(MoveStep step, String key) {
                                    if (step == MoveStep.HAND_OVER && handOvers.incrementAndGet() == 15) {
                                        throw new Killed();
                                    }
                                }
                            },
                            System::nanoTime),
                    MovesOnPostgresTest::page,
                    directives::directive,
                    SETTINGS,
                    System::nanoTime);
            CompletableFuture<Boolean> death = CompletableFuture.supplyAsync(() -> diesIn(killed));
            assertThat(death.get(60, TimeUnit.SECONDS)).isTrue();
            assertThat(owners.frozenFor(Duration.ZERO, 10)).hasSize(1);

            others.refresh();
            try (Moves one = moves(directives);
                    Moves other = moves(others)) {
                one.start();
                other.start();
                await().atMost(Duration.ofSeconds(60)).until(() -> allAt(Side.NEW));
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> one.progress().state() == Progress.State.DONE
                                && other.progress().state() == Progress.State.DONE);

                Directive all = directives.directive().orElseThrow();
                directives.put(all.with(all.plan().withPercent(0)));
                await().atMost(Duration.ofSeconds(60)).until(() -> allAt(Side.LEGACY));
            }
        } finally {
            isOver.set(true);
            for (CompletableFuture<Void> writer : writers) {
                writer.get(30, TimeUnit.SECONDS);
            }
        }
        assertThat(taken.get()).as("writes went on").isGreaterThan(100);
        assertThat(total()).isEqualTo(KEYS * EACH - taken.get());
    }

    private Moves moves(JdbcDirectives directives) {
        return new Moves(
                owners,
                new Mover<>(owners, copy),
                MovesOnPostgresTest::page,
                directives::directive,
                SETTINGS,
                System::nanoTime);
    }

    private static boolean diesIn(Moves moves) {
        try {
            while (true) {
                java.util.concurrent.locks.LockSupport.parkNanos(moves.step().toNanos());
            }
        } catch (Killed dead) {
            return true;
        }
    }

    private boolean allAt(Side side) {
        return owners.of(page("", KEYS)).values().stream().allMatch(owned -> owned.side() == side && !owned.isFrozen());
    }

    /** Takes one of a random key again and again, like a router: asks for the owner, and believes the fence. */
    private void write(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            while (!isOver.get()) {
                Owned owned = owners.of("k" + random.nextInt(1, KEYS + 1));
                try {
                    owners.admitWrite(connection, Grant.of(owned.key(), owned.side(), owned.epoch()));
                    try (PreparedStatement update = connection.prepareStatement(
                            "UPDATE stock SET amount = amount - 1 WHERE side = ? AND key = ?")) {
                        update.setString(1, owned.side().label());
                        update.setString(2, owned.key());
                        assertThat(update.executeUpdate()).isEqualTo(1);
                    }
                    connection.commit();
                    taken.incrementAndGet();
                } catch (OwnerChangedException moved) {
                    connection.rollback();
                }
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static Amounts copy(Connection connection, String key, Side from, Side to) {
        try (PreparedStatement upsert = connection.prepareStatement(
                "INSERT INTO stock SELECT ?, key, amount FROM stock WHERE side = ? AND key = ?"
                        + " ON CONFLICT (side, key) DO UPDATE SET amount = excluded.amount RETURNING amount")) {
            upsert.setString(1, to.label());
            upsert.setString(2, from.label());
            upsert.setString(3, key);
            try (ResultSet row = upsert.executeQuery()) {
                row.next();
                return Amounts.of(Map.of("available", row.getLong(1)));
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static List<String> page(String last, int limit) {
        try (Connection connection = database.getConnection();
                PreparedStatement query = connection.prepareStatement(
                        "SELECT DISTINCT key FROM stock WHERE key > ? ORDER BY key LIMIT ?")) {
            query.setString(1, last);
            query.setInt(2, limit);
            List<String> page = new ArrayList<>();
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    page.add(row.getString(1));
                }
            }
            return page;
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static long total() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT sum(amount) FROM stock JOIN sluice.owner USING (side, key)")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** What kill -9 does, as far as the database can see. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }
}
