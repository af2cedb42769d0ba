package io.sluice.demo.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.migration.branch.Grant;
import io.sluice.migration.kit.BranchKit;
import io.sluice.migration.kit.BranchKit.Broken;
import io.sluice.migration.kit.BranchKit.Promise;
import io.sluice.migration.owner.Fence;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.plan.Side;
import io.sluice.testing.Requirement;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Both inventories against the contract, on a real database. */
@Requirement({"I2", "I11"})
class ContractTest {
    private static TestDatabase database;

    @BeforeAll
    static void start() throws Exception {
        database = new TestDatabase();
    }

    @AfterAll
    static void stop() throws Exception {
        database.close();
    }

    @Test
    void bothInventoriesKeepTheContract() {
        BranchKit.verify(new InventoryFixture(database.pool("kit", 20)));
    }

    /** The two traps of the database: a fence beside the transaction, and a copy that forgets. */
    @Test
    void aFenceBesideTheTransactionIsFound() {
        InventoryFixture fixture = new InventoryFixture(database.pool("beside", 20)) {
            @Override
            public Inventory branch(Side side, Fence<Connection> fence) {
                return super.branch(side, beside(fence));
            }

            private Fence<Connection> beside(Fence<Connection> fence) {
                return new Fence<>() {
                    @Override
                    public void admitWrite(Connection transaction, Grant grant) {
                        fence.admitWrite(transaction, grant);
                        try {
                            transaction.commit();
                            // What the gap in between is made of: a write that takes a little longer.
                            transaction.createStatement().execute("SELECT pg_sleep(0.01)");
                        } catch (SQLException failed) {
                            throw new IllegalStateException(failed);
                        }
                    }

                    @Override
                    public void admitRead(Connection transaction, Grant grant) {
                        fence.admitRead(transaction, grant);
                    }
                };
            }
        };

        assertThat(BranchKit.broken(fixture))
                .extracting(Broken::promise)
                .contains(Promise.FENCE_HOLDS_UNTIL_THE_END, Promise.MOVES_LOSE_NOTHING);
    }

    @Test
    void aCopyThatForgetsReservationsIsFound() {
        InventoryFixture fixture = new InventoryFixture(database.pool("forgets", 20)) {
            @Override
            public KeyCopy<Connection> copy() {
                return (transaction, key, from, to) -> {
                    var amounts = super.copy().copy(transaction, key, from, to);
                    try {
                        Sql.update(
                                transaction, "DELETE FROM " + InventoryCopy.reservations(to) + " WHERE sku = ?", key);
                    } catch (SQLException failed) {
                        throw new IllegalStateException(failed);
                    }
                    return amounts;
                };
            }
        };

        assertThat(BranchKit.broken(fixture))
                .extracting(Broken::promise)
                .contains(Promise.COPY_KEEPS_EVERYTHING, Promise.COPY_TWICE_IS_ONCE);
    }
}
