package io.sluice.migration.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.core.problem.RefusedException;
import io.sluice.migration.owner.JdbcOwners;
import io.sluice.testing.Requirement;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JdbcDirectivesTest {
    private static EmbeddedPostgres postgres;
    private static DataSource database;

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    @BeforeAll
    static void startDatabase() throws IOException {
        postgres = EmbeddedPostgres.builder().start();
        database = postgres.getPostgresDatabase();
        JdbcOwners.createTables(database);
    }

    @AfterAll
    static void stopDatabase() throws IOException {
        postgres.close();
    }

    @BeforeEach
    void empty() throws SQLException {
        execute("TRUNCATE sluice.migration");
    }

    @AfterEach
    void stop() {
        scheduler.shutdownNow();
    }

    @Test
    void everythingIsAtLegacyAndNothingIsWantedBeforeThereIsADirective() {
        try (JdbcDirectives directives = unpolled(database)) {
            assertThat(directives.current()).isEqualTo(Plan.start("m"));
            assertThat(directives.directive()).isEmpty();
        }
    }

    @Test
    void whatIsPutIsReadByEveryProcess() throws SQLException {
        Directive directive = new Directive(
                7, new Plan("m", 3, 4, Set.of("sku 'b'", "größe", "a\\n"), Set.of("zz")), new Pace(20, true));
        try (JdbcDirectives one = unpolled(database);
                JdbcDirectives other = unpolled(database)) {
            assertThat(one.put(directive)).isTrue();

            assertThat(one.directive()).contains(directive);
            assertThat(other.current()).isEqualTo(Plan.start("m"));
            assertThat(other.refresh()).isEqualTo(directive.plan());
            assertThat(other.directive()).contains(directive);
        }
    }

    @Test
    @Requirement("F70")
    void aChangeArrivesByPolling() throws SQLException {
        try (JdbcDirectives directives = new JdbcDirectives(database, "m", Duration.ofMillis(10), scheduler);
                JdbcDirectives operator = unpolled(database)) {
            operator.put(Directive.start("m").with(Plan.start("m").withPercent(30)));
            await().until(() -> directives.current().newPercent() == 30);
            directives.close();
            assertThat(scheduler.isShutdown()).as("the caller's").isFalse();
        }
    }

    @Test
    void ofTwoWhoChangeTheSameVersionOneIsRefused() throws SQLException {
        try (JdbcDirectives one = unpolled(database);
                JdbcDirectives other = unpolled(database)) {
            Directive base = Directive.start("m");
            one.put(base);
            Directive faster = base.with(base.plan().withPercent(10));

            assertThat(one.put(faster)).isTrue();
            assertThat(other.put(base.with(base.plan().withPercent(90)))).isFalse();

            assertThat(other.directive()).contains(faster);
            assertThat(unpolled(database).directive()).contains(faster);
        }
    }

    @Test
    void aPlanNeverChangesUnderOneRevision() throws SQLException {
        try (JdbcDirectives directives = unpolled(database)) {
            Directive stored = new Directive(4, new Plan("m", 2, 10, Set.of("a"), Set.of()), Pace.DEFAULT);
            directives.put(stored);

            assertThat(directives.put(new Directive(5, new Plan("m", 2, 20, Set.of("a"), Set.of()), Pace.DEFAULT)))
                    .isFalse();
            assertThat(directives.put(new Directive(5, new Plan("m", 1, 10, Set.of("a"), Set.of()), Pace.DEFAULT)))
                    .isFalse();
            assertThat(directives.put(stored.with(new Pace(1, true))))
                    .as("a pause")
                    .isTrue();
        }
    }

    @Test
    void neverTakesARowThatIsOlderGoneOrNoDirective() throws SQLException {
        try (JdbcDirectives directives = unpolled(database)) {
            Directive good = new Directive(4, new Plan("m", 2, 10, Set.of(), Set.of()), Pace.DEFAULT);
            directives.put(good);
            for (String damage : List.of(
                    "UPDATE sluice.migration SET version = 3, new_percent = 0",
                    "UPDATE sluice.migration SET version = 5, revision = 1, new_percent = 0",
                    "UPDATE sluice.migration SET version = 5, new_percent = 0, revision = 2",
                    "UPDATE sluice.migration SET version = 5, new_percent = 101, revision = 3",
                    "UPDATE sluice.migration SET version = 5, also_new = E'a\\na', revision = 3, new_percent = 10",
                    "UPDATE sluice.migration SET version = 5, also_new = E'a\\n', revision = 3, new_percent = 10",
                    "UPDATE sluice.migration SET version = 5, also_new = '', keys_per_second = 0",
                    "DELETE FROM sluice.migration")) {
                execute(damage);
                assertThat(directives.refresh()).as(damage).isEqualTo(good.plan());
                assertThat(directives.directive()).as(damage).contains(good);
            }
            Directive next = good.with(good.plan().withPercent(20));
            assertThat(directives.put(next)).isTrue();
            assertThat(directives.current()).isEqualTo(next.plan());
        }
    }

    @Test
    void theLastGoodPlanStaysWhileTheDatabaseIsAway() throws SQLException {
        AtomicBoolean isAway = new AtomicBoolean();
        DataSource source = source(() -> {
            if (isAway.get()) {
                throw new SQLException("connection refused", "08001");
            }
        });
        try (JdbcDirectives directives = unpolled(source)) {
            Directive good = Directive.start("m").with(Plan.start("m").withPercent(30));
            directives.put(good);
            isAway.set(true);

            assertThat(directives.refresh()).isEqualTo(good.plan());
            assertThatThrownBy(() -> directives.put(good.with(new Pace(1, true))))
                    .isInstanceOf(SQLException.class);
            try (JdbcDirectives fresh = unpolled(source)) {
                assertThat(fresh.current()).isEqualTo(Plan.start("m"));
                assertThat(fresh.directive()).isEmpty();
                isAway.set(false);
                assertThat(fresh.refresh()).isEqualTo(good.plan());
            }
        }
    }

    @Test
    void threadsThatAskAtOnceShareARead() throws Exception {
        AtomicInteger reads = new AtomicInteger();
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicBoolean holds = new AtomicBoolean();
        DataSource source = source(() -> {
            reads.incrementAndGet();
            if (holds.get()) {
                awaitLatch(goOn);
            }
        });
        try (JdbcDirectives directives = unpolled(source)) {
            reads.set(0);
            holds.set(true);
            List<Thread> askers = new ArrayList<>();
            CompletableFuture<Plan> first = CompletableFuture.supplyAsync(directives::refresh);
            await().until(() -> reads.get() == 1);
            for (int i = 0; i < 8; i++) {
                Thread asker = new Thread(directives::refresh);
                asker.start();
                askers.add(asker);
            }
            await().until(() -> askers.stream().allMatch(asker -> asker.getState() == Thread.State.BLOCKED));
            goOn.countDown();
            first.get(30, TimeUnit.SECONDS);
            for (Thread asker : askers) {
                asker.join(30_000);
            }
            assertThat(reads).as("the one under way, and one that began later").hasValue(2);
        }
    }

    @Test
    void anotherMigrationsDirectiveIsRefused() {
        try (JdbcDirectives directives = unpolled(database)) {
            assertThatThrownBy(() -> directives.put(Directive.start("other"))).isInstanceOf(RefusedException.class);
        }
        assertThatThrownBy(() -> new JdbcDirectives(database, "No Name")).isInstanceOf(RefusedException.class);
    }

    private JdbcDirectives unpolled(DataSource source) {
        return new JdbcDirectives(source, "m", Duration.ofDays(1), scheduler);
    }

    private interface Before {
        void connection() throws SQLException;
    }

    private static DataSource source(Before before) {
        return (DataSource) Proxy.newProxyInstance(
                JdbcDirectivesTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                    before.connection();
                    return database.getConnection();
                });
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
