package io.sluice.migration.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.migration.branch.NothingHappenedException;
import io.sluice.migration.branch.UnknownOutcomeException;
import io.sluice.migration.kit.InMemoryOwners;
import io.sluice.migration.kit.MemoryStock;
import io.sluice.migration.kit.MemoryStock.Mood;
import io.sluice.migration.kit.MemoryStore;
import io.sluice.migration.kit.MemoryTransaction;
import io.sluice.migration.move.MoveListener;
import io.sluice.migration.move.MoveStep;
import io.sluice.migration.move.Mover;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.PlanSource;
import io.sluice.migration.plan.Side;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

/**
 * Real threads: routers with plans of different age, movers that die at random and go both ways, a new side that fails in
 * all of its ways. What was sold is what the ledgers say, each of it once.
 */
@Timeout(60)
class RoutersTogetherTest {
    private static final int KEYS = 8;
    private static final int STOCK = 10_000;
    private static final int WRITERS = 4;
    private static final int WRITES = 300;
    private static final Duration WAIT = Duration.ofSeconds(20);

    private final MemoryStore store = new MemoryStore();
    private final InMemoryOwners owners = new InMemoryOwners(store);
    private final MemoryStock legacy = new MemoryStock(store, owners);
    private final MemoryStock newer = new MemoryStock(store, owners);
    private final KeyCopy<MemoryTransaction> copy = MemoryStock.copy(legacy, newer);
    private final AtomicReference<Plan> published = new AtomicReference<>(plan(1, 0));
    private final Map<String, Integer> taken = new ConcurrentHashMap<>();
    private final AtomicInteger unknown = new AtomicInteger();
    private final AtomicInteger writing = new AtomicInteger(WRITERS);

    @RepeatedTest(3)
    @Requirement({"I7", "F70", "F71"})
    void whatWasSoldIsWhatTheLedgersSay() throws Exception {
        IntStream.range(0, KEYS).forEach(i -> legacy.stock(key(i), STOCK));
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS + 2);
        try {
            List<Future<Void>> running = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int writer = i;
                running.add(threads.submit(() -> write(writer)));
            }
            running.add(threads.submit((Callable<Void>) this::move));
            running.add(threads.submit((Callable<Void>) this::moods));
            for (Future<Void> each : running) {
                each.get(50, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        newer.become(Mood.FINE);

        Map<String, Integer> sold = new ConcurrentHashMap<>();
        for (int i = 0; i < KEYS; i++) {
            MemoryStock.Row row = ledgerOf(key(i));
            int quantity =
                    row.taken().values().stream().mapToInt(Integer::intValue).sum();
            assertThat(row.available()).as(key(i)).isEqualTo(STOCK - quantity);
            sold.putAll(row.taken());
        }
        assertThat(sold).as("every operation once, none lost").isEqualTo(taken);
        assertThat(taken).hasSize(WRITERS * WRITES);
    }

    /** Each writer has a router of its own, which learns of plans only when it is refused. Unknown outcomes are sent again. */
    private Void write(int writer) {
        Mover<MemoryTransaction> handBack = new Mover<>(owners, copy);
        Router<MemoryStock> router = Router.<MemoryStock>builder()
                .legacy(legacy)
                .newer(newer)
                .plans(new Late(published))
                .handBack(handBack)
                .finishAfter(Duration.ofMillis(5))
                .build();
        try {
            for (int i = 0; i < WRITES; i++) {
                String operationId = writer + "-" + i;
                String key = key(i % KEYS);
                int quantity = 1 + i % 3;
                boolean isDone = false;
                while (!isDone) {
                    try {
                        router.write(
                                key,
                                operationId,
                                Deadline.in(WAIT),
                                (side, grant) -> side.take(grant, operationId, quantity));
                        isDone = true;
                    } catch (UnknownOutcomeException again) {
                        unknown.incrementAndGet();
                    } catch (NothingHappenedException again) {
                        assertThat(again).hasMessageContaining("not available");
                    }
                }
                taken.put(operationId, quantity);
            }
        } finally {
            writing.decrementAndGet();
        }
        return null;
    }

    private Void move() {
        MoveListener dies = new MoveListener() {
            @Override
            public void before(MoveStep step, String key) {
                if (ThreadLocalRandom.current().nextInt(6) == 0) {
                    throw new Killed();
                }
            }
        };
        Mover<MemoryTransaction> mover = new Mover<>(owners, copy, Duration.ofSeconds(1), dies, System::nanoTime);
        for (long revision = 2; writing.get() > 0; revision++) {
            Plan plan = plan(revision, revision % 2 == 0 ? 100 : 40);
            published.set(plan);
            for (int i = 0; i < KEYS; i++) {
                try {
                    mover.move(key(i), plan.wanted(key(i)), plan.epoch());
                } catch (Killed leftFrozen) {
                    // The next writer of the key finishes.
                }
            }
        }
        return null;
    }

    private Void moods() {
        while (writing.get() > 0) {
            Mood[] moods = Mood.values();
            newer.become(moods[ThreadLocalRandom.current().nextInt(moods.length)]);
            Thread.onSpinWait();
            Thread.yield();
        }
        newer.become(Mood.FINE);
        return null;
    }

    private MemoryStock.Row ledgerOf(String key) {
        return (owners.of(key).side() == Side.NEW ? newer : legacy).rows().get(key);
    }

    private static String key(int i) {
        return "sku-" + i;
    }

    private static Plan plan(long revision, int percent) {
        return new Plan("stock", revision, percent, Set.of(), Set.of());
    }

    /** Knows of a new plan only after it has looked it up. */
    private static final class Late implements PlanSource {
        private final AtomicReference<Plan> published;
        private volatile Plan known;

        Late(AtomicReference<Plan> published) {
            this.published = published;
            this.known = published.get();
        }

        @Override
        public Plan current() {
            return known;
        }

        @Override
        public Plan refresh() {
            known = published.get();
            return known;
        }
    }

    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }
}
