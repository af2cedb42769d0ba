package io.sluice.demo.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.sluice.demo.inventory.proof.Account;
import io.sluice.demo.inventory.proof.Customers;
import io.sluice.demo.inventory.proof.WriteLog;
import io.sluice.migration.move.MoveListener;
import io.sluice.migration.move.MoveStep;
import io.sluice.migration.move.Mover;
import io.sluice.migration.owner.JdbcOwners;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.Side;
import io.sluice.migration.shadow.SecondLook;
import io.sluice.testing.Requirement;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** All of the stock moves to new in 20 steps, under load, while everything that can be late is, and movers die. */
class OneWriterTest {
    private static final int SKUS = 300;
    private static final int STOCKED = 100;
    private static final String FORMAT = "sku-%03d";
    private static final int OPERATIONS_EACH_STEP = 200;
    private static final int ROUTERS = 3;

    /** A crash: it goes through the mover, and leaves the key as it was. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    private TestDatabase database;
    private WriteLog log;
    private final AtomicReference<Plan> newest = new AtomicReference<>(Plan.start(InventoryTables.MIGRATION));
    private final CountingTally tally = new CountingTally();
    private final List<Plans> plans = new ArrayList<>();
    private final List<InventoryService> services = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        database = new TestDatabase();
        log = WriteLog.begin(database.plain());
        InventoryTables.stock(database.plain(), FORMAT, SKUS, STOCKED);
        for (int router = 0; router < ROUTERS; router++) {
            HikariDataSource pool = database.pool("router-" + router, 8);
            Plans known = new Plans(newest);
            plans.add(known);
            services.add(
                    new InventoryMigration(pool, sometimesUnreachable(pool), known, InventoryMigration.ANSWER_WITHIN)
                            .service(tally, SecondLook.none()));
        }
    }

    @AfterEach
    void stop() throws Exception {
        database.close();
    }

    @Test
    @Requirement({"F70", "I7", "I8"})
    void noSkuEverHasTwoWriters() throws Exception {
        HikariDataSource pool = database.pool("mover", 4);
        JdbcOwners owners = new JdbcOwners(pool, InventoryTables.MIGRATION);
        List<Plan> history = new ArrayList<>(List.of(newest.get()));
        AtomicInteger kills = new AtomicInteger();
        Account account = new Account();
        try (Customers load = Customers.begin(services, Customers.Habits.greedy(3, FORMAT, SKUS), account)) {
            for (int step = 1; step <= 20; step++) {
                Plan plan = newest.get().withPercent(step * 5);
                newest.set(plan);
                history.add(plan);
                // The first knows at once, the second is one step behind, the third two.
                for (int router = 0; router < ROUTERS; router++) {
                    plans.get(router).learn(history.get(Math.max(history.size() - 1 - router, 0)));
                }
                move(owners, plan, kills);
                long before = load.done();
                await().atMost(Duration.ofMinutes(1))
                        .until(() -> load.done() >= before + OPERATIONS_EACH_STEP
                                || !load.surprises().isEmpty());
            }
            // Whatever was handed back on the way goes with the next plan, when new is reachable again.
            isNewReachable = true;
            Plan last = newest.get().withPercent(100);
            newest.set(last);
            kills.set(Integer.MIN_VALUE);
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                move(owners, last, kills);
                return skus().allMatch(sku -> isOpenAt(owners.of(sku), Side.NEW));
            });
            load.close();

            assertThat(load.surprises()).isEmpty();
            assertThat(log.faults()).isEmpty();
            assertThat(log.faults(account)).isEmpty();
            assertThat(log.skusWithout(STOCKED)).isEmpty();
            assertThat(log.total()).isEqualTo((long) SKUS * STOCKED);
        }
        assertThat(log.size()).isGreaterThan(2000);
        assertThat(tally.behind.get()).isPositive();
        assertThat(tally.fallbacks.get()).isPositive();
    }

    /** Movers one after the other: each dies at another point of a move, and the next one begins anew. */
    private void move(JdbcOwners owners, Plan plan, AtomicInteger kills) {
        List<String> left = new ArrayList<>(
                skus().filter(sku -> plan.wanted(sku) == Side.NEW).toList());
        while (!left.isEmpty()) {
            Mover<Connection> mover = new Mover<>(
                    owners,
                    new InventoryCopy(),
                    Duration.ofSeconds(5),
                    dyingAt(kills.getAndIncrement()),
                    System::nanoTime);
            try {
                while (!left.isEmpty()) {
                    String sku = left.remove(left.size() - 1);
                    if (!isOpenAt(owners.of(sku), Side.NEW)) {
                        mover.move(sku, Side.NEW, plan.epoch());
                    }
                }
            } catch (Killed killed) {
                // Its key stays as it is, until a writer or the next mover meets it.
            }
        }
    }

    /** Dies in the sixth move that it begins, at one of the six points of a move. */
    private static MoveListener dyingAt(int kill) {
        if (kill < 0) {
            return MoveListener.NONE;
        }
        MoveStep step = MoveStep.values()[kill % 3];
        boolean isBefore = kill / 3 % 2 == 0;
        AtomicInteger moves = new AtomicInteger();
        return new MoveListener() {
            @Override
            public void before(MoveStep at, String key) {
                if (at == step && isBefore && moves.incrementAndGet() == 6) {
                    throw new Killed();
                }
            }

            @Override
            public void after(MoveStep at, Owned now) {
                if (at == step && !isBefore && moves.incrementAndGet() == 6) {
                    throw new Killed();
                }
            }
        };
    }

    private volatile boolean isNewReachable;

    /** Every hundredth connection fails, so that keys are handed back in between. */
    private DataSource sometimesUnreachable(DataSource pool) {
        AtomicInteger connections = new AtomicInteger();
        return FailingDatabase.unreachableWhen(pool, () -> !isNewReachable && connections.incrementAndGet() % 100 == 0);
    }

    private static boolean isOpenAt(Owned owned, Side side) {
        return !owned.isFrozen() && owned.side() == side;
    }

    private static Stream<String> skus() {
        return IntStream.range(0, SKUS).mapToObj(i -> String.format(FORMAT, i));
    }
}
