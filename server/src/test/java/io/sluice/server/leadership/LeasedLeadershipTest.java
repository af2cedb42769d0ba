package io.sluice.server.leadership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.server.TestDatabase;
import io.sluice.testing.Requirement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lease in a real PostgreSQL, by whose clock it runs. */
class LeasedLeadershipTest {
    private static final LeaseTimes SHORT =
            new LeaseTimes(Duration.ofMillis(300), Duration.ofMillis(60), Duration.ofMillis(30));

    private TestDatabase database;

    @BeforeEach
    void empty() {
        database = TestDatabase.onPostgres();
        database.jdbc()
                .sql("create table written (seq bigserial primary key, epoch bigint not null)")
                .update();
    }

    private LeasedLeadership server(String name, LeaseTimes times) {
        return new LeasedLeadership(new Lease(database.jdbc(), name, times), times, System::nanoTime);
    }

    /** Writes as a store does, in the leader's name or not. */
    private void write(Leadership leadership) {
        database.transaction().executeWithoutResult(status -> {
            leadership.requireStill();
            database.jdbc()
                    .sql("insert into written (epoch) values (?)")
                    .param(leadership.epoch())
                    .update();
        });
    }

    /** A lease so short may be over before its holder begins; then it is asked for again. */
    private static void leadOnce(LeasedLeadership leadership, Runnable work) {
        AtomicBoolean acted = new AtomicBoolean();
        while (!acted.get()) {
            leadership.ask();
            leadership.lead(() -> {
                acted.set(true);
                work.run();
            });
        }
    }

    private long written() {
        return database.jdbc()
                .sql("select count(*) from written")
                .query(Long.class)
                .single();
    }

    @Test
    @Requirement("F25")
    void oneOfTwoLeads() {
        LeasedLeadership first = server("first", LeaseTimes.DEFAULT);
        LeasedLeadership second = server("second", LeaseTimes.DEFAULT);
        AtomicBoolean acted = new AtomicBoolean();

        first.ask();
        second.ask();
        second.lead(() -> acted.set(true));

        assertThat(first.epoch()).isEqualTo(1);
        assertThat(second.isLeader()).isFalse();
        assertThat(acted).isFalse();
        assertThatThrownBy(second::requireLeader).isInstanceOf(NotLeaderException.class);
    }

    @Test
    @Requirement("F25")
    void whoWakesInTheMiddleOfALookWritesNothingMore() {
        LeasedLeadership old = server("old", SHORT);
        LeasedLeadership next = server("next", SHORT);
        List<Throwable> refusals = new ArrayList<>();

        leadOnce(old, () -> {
            write(old);
            // Stands still here; nobody renews its lease.
            await().until(() -> {
                next.ask();
                return next.isLeader();
            });
            for (int attempt = 0; attempt < 3; attempt++) {
                try {
                    write(old);
                } catch (LeadershipLostException lost) {
                    refusals.add(lost);
                }
            }
        });

        assertThat(refusals)
                .hasSize(3)
                .first()
                .isInstanceOfSatisfying(
                        LeadershipLostException.class,
                        lost -> assertThat(lost)
                                .hasMessage(
                                        "acted as the leader of epoch 1, but epoch 2 has begun; nothing was saved"));
        assertThat(written()).isEqualTo(1);
        assertThat(old.isLeader()).isFalse();
    }

    @Test
    void aLossInTheMiddleOfALookEndsItQuietly() {
        LeasedLeadership old = server("old", SHORT);
        LeasedLeadership next = server("next", SHORT);

        leadOnce(old, () -> {
            await().until(() -> {
                next.ask();
                return next.isLeader();
            });
            write(old);
        });

        assertThat(written()).isZero();
    }

    @Test
    @Requirement("F25")
    void whatAnOperatorCommandsIsWrittenByAnyServer() {
        LeasedLeadership first = server("first", LeaseTimes.DEFAULT);
        LeasedLeadership second = server("second", LeaseTimes.DEFAULT);
        first.ask();
        second.ask();

        write(second);

        assertThat(written()).isEqualTo(1);
    }

    @Test
    void aLeaseThatIsLateAndStillOursGoesOnInItsEpoch() {
        AtomicLong late = new AtomicLong();
        LeasedLeadership only = new LeasedLeadership(
                new Lease(database.jdbc(), "only", SHORT), SHORT, () -> System.nanoTime() + late.get());
        only.ask();
        late.addAndGet(Duration.ofSeconds(1).toNanos());
        boolean believedIt = only.isLeader();

        only.ask();

        assertThat(believedIt).isFalse();
        assertThat(only.epoch()).isEqualTo(1);
    }

    @Test
    void whoEndsInGoodOrderLeavesTheLeaseAtOnce() throws Exception {
        LeasedLeadership first = server("first", LeaseTimes.DEFAULT);
        LeasedLeadership second = server("second", LeaseTimes.DEFAULT);
        first.ask();

        first.close();
        second.ask();

        assertThat(second.epoch()).isEqualTo(2);
    }

    /** As the server sets it for all of its connections; here it is shorter. */
    @Test
    @Requirement("F25")
    void whoStandsStillInATransactionDoesNotHoldOffTheNext() throws Exception {
        LeasedLeadership old = server("old", SHORT);
        LeasedLeadership next = server("next", SHORT);
        old.ask();
        try (Connection frozen = database.source().getConnection();
                Statement statement = frozen.createStatement()) {
            frozen.setAutoCommit(false);
            statement.execute("set idle_in_transaction_session_timeout = '200ms'");
            try (ResultSet held = statement.executeQuery("select epoch from leader_lease where id = 1 for share")) {
                assertThat(held.next()).isTrue();
            }

            await().until(() -> {
                next.ask();
                return next.isLeader();
            });

            assertThatThrownBy(() -> statement.execute("insert into written (epoch) values (1)"))
                    .hasMessageContaining("idle-in-transaction");
        }
    }

    @Test
    @Requirement("F25")
    void aCommandOfATermIsRefusedOnceTheTermIsOver() {
        LeasedLeadership old = server("old", LeaseTimes.DEFAULT);
        LeasedLeadership next = server("next", LeaseTimes.DEFAULT);

        old.ask();
        assertThatThrownBy(() -> old.inTerm(() -> {
                    // Stands still here, with what its processes told it before.
                    database.jdbc()
                            .sql("update leader_lease set expires_at = clock_timestamp() - interval '1 second'")
                            .update();
                    next.ask();
                    write(old);
                    return "carried out";
                }))
                .isInstanceOf(LeadershipLostException.class);
        old.ask();
        AtomicBoolean begun = new AtomicBoolean();

        assertThatThrownBy(() -> old.inTerm(() -> begun.getAndSet(true))).isInstanceOf(NotLeaderException.class);
        assertThat(begun).isFalse();
        assertThat(written()).isZero();
        write(old);
        assertThat(written()).isEqualTo(1);
    }

    /** The order of the rows is the order of the transactions of different terms: none of an old one comes after a new one. */
    @Test
    @Requirement("F25")
    void noWriteOfAnOldTermIsAcceptedHoweverTheyFreeze() throws Exception {
        Random seeds = new Random(25);
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong refused = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int server = 0; server < 3; server++) {
            LeasedLeadership leadership = server("server-" + server, SHORT);
            Random random = new Random(seeds.nextLong());
            Thread thread = new Thread(() -> {
                while (!over.get()) {
                    leadership.ask();
                    leadership.lead(() -> freezeAndWrite(leadership.epoch(), leadership, random, refused));
                    LockSupport.parkNanos(random.nextInt(20_000_000));
                }
            });
            threads.add(thread);
            thread.start();
        }
        await().until(() -> refused.get() >= 10 && written() >= 30 && newestEpoch() > 5);
        over.set(true);
        for (Thread thread : threads) {
            thread.join(60_000);
        }

        List<Long> epochs = database.jdbc()
                .sql("select epoch from written order by seq")
                .query(Long.class)
                .list();
        assertThat(epochs).isSorted();
    }

    private long newestEpoch() {
        return database.jdbc()
                .sql("select coalesce(max(epoch), 0) from written")
                .query(Long.class)
                .single();
    }

    private void freezeAndWrite(long epoch, Leadership leadership, Random random, AtomicLong refused) {
        for (int write = 0; write < 5; write++) {
            boolean freezes = random.nextInt(4) == 0;
            LockSupport.parkNanos(freezes ? 500_000_000 : random.nextInt(5_000_000));
            try {
                database.transaction().executeWithoutResult(status -> {
                    leadership.requireStill();
                    // Also between the question and the write: nobody may take over meanwhile.
                    LockSupport.parkNanos(random.nextInt(30_000_000));
                    database.jdbc()
                            .sql("insert into written (epoch) values (?)")
                            .param(epoch)
                            .update();
                });
            } catch (LeadershipLostException lost) {
                refused.incrementAndGet();
            }
        }
    }
}
