package io.sluice.demo.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.sluice.demo.inventory.proof.Account;
import io.sluice.demo.inventory.proof.Customers;
import io.sluice.demo.inventory.proof.WriteLog;
import io.sluice.migration.owner.JdbcOwners;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.Side;
import io.sluice.migration.shadow.SecondLook;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A mover may die at any moment, as by {@code kill -9}, and whoever comes next finishes. */
class MoverKillTest {
    private static final int SKUS = 60;
    private static final int STOCKED = 200;
    private static final String FORMAT = "sku-%02d";

    @Test
    @Requirement({"F70", "I7"})
    void whatAKilledMoverLeftIsFinishedByTheNextOne() throws Exception {
        try (TestDatabase database = new TestDatabase()) {
            WriteLog log = WriteLog.begin(database.plain());
            InventoryTables.stock(database.plain(), FORMAT, SKUS, STOCKED);
            Plan plan = Plan.start(InventoryTables.MIGRATION).withPercent(100);
            HikariDataSource pool = database.pool("customers", 8);
            JdbcOwners owners = new JdbcOwners(pool, InventoryTables.MIGRATION);
            InventoryService inventory =
                    new InventoryMigration(pool, new Plans(plan)).service(new CountingTally(), SecondLook.none());

            Account account = new Account();
            try (Customers load =
                    Customers.begin(List.of(inventory), Customers.Habits.greedy(4, FORMAT, SKUS), account)) {
                // Behind the freeze, with nothing copied; then within the transaction that copies.
                killAt("FREEZE", database, owners, 0, 20, plan.epoch());
                killAt("HAND_OVER", database, owners, 20, 40, plan.epoch());
                // The customers alone get the keys going again that the dead have left.
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> owners.frozenFor(Duration.ZERO, 10).isEmpty()
                                || !load.surprises().isEmpty());
                try (MoverProcess last = MoverProcess.start(database, FORMAT, 0, SKUS, plan.epoch(), "NONE")) {
                    last.await("done");
                }
                long before = load.done();
                await().atMost(Duration.ofSeconds(30)).until(() -> load.done() > before + 200);
                load.close();

                assertThat(load.surprises()).isEmpty();
                assertThat(owners.of(skus()).values())
                        .allSatisfy(owned -> assertThat(owned.side()).isEqualTo(Side.NEW))
                        .noneMatch(Owned::isFrozen);
                assertThat(log.faults()).isEmpty();
                assertThat(log.faults(account)).isEmpty();
                assertThat(log.skusWithout(STOCKED)).isEmpty();
            }
        }
    }

    private static void killAt(String step, TestDatabase database, JdbcOwners owners, int from, int to, long epoch)
            throws Exception {
        try (MoverProcess mover = MoverProcess.start(database, FORMAT, from, to, epoch, step)) {
            mover.await("stopped");
            String left = String.format(FORMAT, to - 1);
            assertThat(owners.of(left).isFrozen()).isTrue();
            mover.kill();
            assertThat(owners.of(left).side()).isEqualTo(Side.LEGACY);
        }
    }

    private static List<String> skus() {
        return IntStream.range(0, SKUS).mapToObj(i -> String.format(FORMAT, i)).toList();
    }
}
