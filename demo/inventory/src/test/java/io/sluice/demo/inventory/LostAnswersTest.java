package io.sluice.demo.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.sluice.demo.inventory.proof.WriteLog;
import io.sluice.migration.branch.NothingHappenedException;
import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.UnknownOutcomeException;
import io.sluice.migration.move.Mover;
import io.sluice.migration.owner.JdbcOwners;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.Side;
import io.sluice.migration.shadow.SecondLook;
import io.sluice.testing.Requirement;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The wire to the database breaks around the commit, again and again. */
class LostAnswersTest {
    private static final int REQUESTS = 10_000;
    private static final int SKUS = 20;
    private static final String FORMAT = "sku-%02d";
    private static final int THREADS = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final AtomicLong unknown = new AtomicLong();
    private final AtomicLong happened = new AtomicLong();
    private final AtomicLong cancelled = new AtomicLong();

    @Test
    @Requirement({"F71", "I3"})
    void noLostAnswerIsDeductedTwice() throws Exception {
        try (TestDatabase database = new TestDatabase();
                CuttingProxy proxy = new CuttingProxy(database.port(), 20)) {
            WriteLog log = WriteLog.begin(database.plain());
            InventoryTables.stock(database.plain(), FORMAT, SKUS, REQUESTS);
            Plan plan = Plan.start(InventoryTables.MIGRATION).withPercent(100);
            // Half of the SKUs, so that both inventories are tried.
            HikariDataSource direct = database.pool("direct", 2);
            Mover<Connection> mover =
                    new Mover<>(new JdbcOwners(direct, InventoryTables.MIGRATION), new InventoryCopy());
            for (int i = 0; i < SKUS; i += 2) {
                mover.move(String.format(FORMAT, i), Side.NEW, plan.epoch());
            }
            CountingTally tally = new CountingTally();
            HikariDataSource cut = database.pool("cut", THREADS, proxy.port());
            // A side that is only slow, on a busy machine, is no side that has failed, and must not fall back here.
            cut.setConnectionTimeout(PATIENCE.toMillis());
            InventoryService inventory =
                    new InventoryMigration(cut, cut, new Plans(plan), PATIENCE).service(tally, SecondLook.none());

            shop(inventory);

            assertThat(proxy.lostCommits()).isGreaterThan(200);
            assertThat(proxy.lostAnswers()).isGreaterThan(200);
            assertThat(unknown.get()).isGreaterThan(400);
            assertThat(happened.get() + cancelled.get()).isEqualTo(REQUESTS);
            assertThat(cancelled.get()).isPositive();
            assertThat(tally.fallbacks).hasValue(0);
            assertThat(log.reserved()).isEqualTo(happened.get());
            assertThat(log.skusWithout(REQUESTS)).isEmpty();
            assertThat(log.size()).isEqualTo(happened.get());
            assertThat(log.faults()).isEmpty();
        }
    }

    private void shop(InventoryService inventory) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                all.add(threads.submit(() -> {
                    for (int request = thread; request < REQUESTS; request += THREADS) {
                        reserve(inventory, request);
                    }
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void reserve(InventoryService inventory, int number) {
        ReserveRequest request =
                new ReserveRequest("r-" + number, "order-" + number, String.format(FORMAT, number % SKUS), 1);
        // One of two asks what became of it, the other sends it again: both must end with one deduction or none.
        boolean asks = number / SKUS % 2 == 0;
        while (true) {
            try {
                inventory.reserve(request, PATIENCE);
                happened.incrementAndGet();
                return;
            } catch (NothingHappenedException sure) {
                // So it is sent again.
            } catch (UnknownOutcomeException lost) {
                unknown.incrementAndGet();
                if (asks) {
                    (outcome(inventory, request) == Outcome.HAPPENED ? happened : cancelled).incrementAndGet();
                    return;
                }
            }
        }
    }

    private static Outcome outcome(InventoryService inventory, ReserveRequest request) {
        while (true) {
            try {
                return inventory.outcome(request.sku(), request.reservationId(), PATIENCE);
            } catch (UnknownOutcomeException again) {
                // The wire broke under the question.
            }
        }
    }
}
