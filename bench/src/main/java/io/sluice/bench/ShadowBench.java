package io.sluice.bench;

import io.sluice.migration.branch.Branch;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.Read;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.PlanSource;
import io.sluice.migration.routing.Deadline;
import io.sluice.migration.routing.Router;
import io.sluice.migration.shadow.SecondLook;
import io.sluice.migration.shadow.ShadowReads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * What shadow reads cost their callers: four threads read a side that takes about a millisecond, and every read is offered
 * to a second look. The states of the other side take turns, a short block each in every round, in shuffled order, so that
 * whatever else the machine does meets all of them.
 */
final class ShadowBench {
    private static final int CALLERS = 4;
    private static final int BLOCK = 50;
    private static final int KEYS = 1_000;
    private static final double MOST_MILLIS = 1;
    private static final long READ_NANOS = 1_000_000;
    private static final Duration TIME_OUT = Duration.ofMillis(200);

    /** Short, so that a frozen side is tried over and over while it is measured. */
    private static final Duration PAUSE = Duration.ofMillis(500);

    private static final String OFF = "off";
    private static final Shop AUTHORITY = new Shop(() -> LockSupport.parkNanos(READ_NANOS));

    private final Map<String, Times> times;

    private ShadowBench(Map<String, Times> times) {
        this.times = times;
    }

    /** Measures in so many rounds, about a quarter of a second each. */
    static ShadowBench measure(int rounds) throws InterruptedException, ExecutionException {
        CountDownLatch thaw = new CountDownLatch(1);
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        Shop healthy = new Shop(() -> LockSupport.parkNanos(READ_NANOS));
        Shop frozen = new Shop(() -> awaitOrThrow(thaw));
        Shop deaf = new Shop(() -> awaitWhatever(thaw));
        try (ShadowReads<Shop> onHealthy = shadow(healthy);
                ShadowReads<Shop> onFrozen = shadow(frozen);
                ShadowReads<Shop> onDeaf = shadow(deaf)) {
            Map<String, Callers> states = new LinkedHashMap<>();
            states.put(OFF, new Callers(healthy, SecondLook.none(), callers));
            states.put("all reads, healthy", new Callers(healthy, onHealthy, callers));
            states.put("all reads, frozen", new Callers(frozen, onFrozen, callers));
            states.put("all reads, frozen, no interrupts", new Callers(deaf, onDeaf, callers));
            for (int i = 0; i < 10; i++) {
                for (Callers each : states.values()) {
                    each.block();
                }
            }
            states.values().forEach(Callers::forget);
            List<Callers> shuffled = new ArrayList<>(states.values());
            Random order = new Random(1);
            for (int round = 0; round < rounds; round++) {
                Collections.shuffle(shuffled, order);
                for (Callers each : shuffled) {
                    each.block();
                }
            }
            Map<String, Times> times = new LinkedHashMap<>();
            states.forEach((name, each) -> times.put(name, each.times()));
            return new ShadowBench(times);
        } finally {
            thaw.countDown();
            callers.shutdownNow();
        }
    }

    String table() {
        StringBuilder out = new StringBuilder(String.format(
                Locale.ROOT,
                "%-34s %8s %8s %14s %8s %10s %10s %14s %14s%n",
                "one read with shadow reads",
                "p50 ms",
                "p99 ms",
                "block's p99 ms",
                "to off",
                "- off ms",
                "all p99 ms",
                "offer p50 us",
                "offer p99 us"));
        times.forEach((name, each) -> out.append(String.format(
                Locale.ROOT,
                "%-34s %8.3f %8.3f %14.3f %8.3f %10.3f %10.3f %14.2f %14.2f%n",
                name,
                quantile(each.reads, 0.5) / 1e6,
                quantile(each.reads, 0.99) / 1e6,
                quantile(each.blocks, 0.5) / 1e6,
                quantile(each.blocks, 0.5) / quantile(off().blocks, 0.5),
                added(each),
                (quantile(each.reads, 0.99) - quantile(off().reads, 0.99)) / 1e6,
                quantile(each.offers, 0.5) / 1e3,
                quantile(each.offers, 0.99) / 1e3)));
        return out.append(String.format(
                        Locale.ROOT,
                        "%ngoal: at most %.0f ms more, by the median block's p99 and by the p99 of what the caller spends in offer%n",
                        MOST_MILLIS))
                .toString();
    }

    List<String> missed() {
        List<String> missed = new ArrayList<>();
        times.forEach((name, each) -> {
            if (added(each) > MOST_MILLIS) {
                missed.add("missed: p99 of a read, " + name);
            }
            if (quantile(each.offers, 0.99) / 1e6 > MOST_MILLIS) {
                missed.add("missed: p99 of an offer, " + name);
            }
        });
        return missed;
    }

    /** Milliseconds by which the p99 of the median block is longer than without shadow reads. */
    private double added(Times each) {
        return (quantile(each.blocks, 0.5) - quantile(off().blocks, 0.5)) / 1e6;
    }

    private static double quantile(long[] sorted, double q) {
        return sorted[Math.max(0, (int) Math.ceil(q * sorted.length) - 1)];
    }

    private Times off() {
        return Objects.requireNonNull(times.get(OFF));
    }

    private static ShadowReads<Shop> shadow(Shop other) {
        return ShadowReads.builder(AUTHORITY, other)
                .sample(10_000)
                .timeOut(TIME_OUT)
                .pause(PAUSE)
                .start();
    }

    private static void awaitOrThrow(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    private static void awaitWhatever(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException ignored) {
                // Like a read on a socket without a time-out.
            }
        }
    }

    /** A side whose every read takes what its pause takes. */
    private record Shop(Runnable pause) implements Branch {
        Versioned<Integer> available(Grant grant) {
            pause.run();
            return new Versioned<>(grant.key().length(), 1);
        }

        @Override
        public Outcome outcome(Grant grant, String operationId) {
            return Outcome.DID_NOT_HAPPEN;
        }

        @Override
        public Optional<String> keyOf(String operationId) {
            return Optional.empty();
        }
    }

    /**
     * In nanoseconds, sorted.
     *
     * @param reads each read, with all that its caller waited for
     * @param blocks the p99 of each block
     * @param offers what each caller spent in the second look
     */
    private record Times(long[] reads, long[] blocks, long[] offers) {}

    /** What one caller took for the reads of one block. */
    private record Block(long[] reads, long[] offers) {}

    /** Threads that read through a router, each with one of its own. */
    private static final class Callers {
        private final List<Caller> callers;
        private final ExecutorService threads;
        private final List<long[]> reads = new ArrayList<>();
        private final List<Long> blocks = new ArrayList<>();
        private final List<long[]> offers = new ArrayList<>();

        private Callers(Shop other, SecondLook<Shop> secondLook, ExecutorService threads) {
            this.callers = IntStream.range(0, CALLERS)
                    .mapToObj(i -> new Caller(other, secondLook))
                    .toList();
            this.threads = threads;
        }

        private void block() throws InterruptedException, ExecutionException {
            List<long[]> block = new ArrayList<>();
            for (Future<Block> each : threads.invokeAll(callers)) {
                Block part = each.get();
                block.add(part.reads);
                offers.add(part.offers);
            }
            reads.addAll(block);
            blocks.add((long) quantile(sorted(block), 0.99));
        }

        private void forget() {
            reads.clear();
            blocks.clear();
            offers.clear();
        }

        private Times times() {
            long[] sortedBlocks =
                    blocks.stream().mapToLong(Long::longValue).sorted().toArray();
            return new Times(sorted(reads), sortedBlocks, sorted(offers));
        }

        private static long[] sorted(List<long[]> parts) {
            return parts.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        }
    }

    /** One of them. Notes how long it was kept by the second look. */
    private static final class Caller implements Callable<Block>, SecondLook<Shop> {
        private static final Read<Shop, Integer> AVAILABLE = Read.named("available", Shop::available);
        private static final Duration WAIT = Duration.ofSeconds(10);
        private static final String[] SKUS =
                IntStream.range(0, KEYS).mapToObj(i -> "sku-" + i).toArray(String[]::new);

        private final SecondLook<Shop> secondLook;
        private final Router<Shop> router;
        private long offerNanos;

        private Caller(Shop other, SecondLook<Shop> secondLook) {
            this.secondLook = secondLook;
            this.router = Router.<Shop>builder()
                    .legacy(AUTHORITY)
                    .newer(other)
                    .plans(new Unchanged(Plan.start("inventory")))
                    .secondLook(this)
                    .build();
        }

        @Override
        public Block call() {
            long[] took = new long[BLOCK];
            long[] offered = new long[BLOCK];
            for (int i = 0; i < BLOCK; i++) {
                long start = System.nanoTime();
                router.read(SKUS[i % KEYS], Deadline.in(WAIT), AVAILABLE);
                took[i] = System.nanoTime() - start;
                offered[i] = offerNanos;
            }
            return new Block(took, offered);
        }

        @Override
        public <R> void offer(Grant grant, Read<Shop, R> read, Versioned<R> answer) {
            long start = System.nanoTime();
            secondLook.offer(grant, read, answer);
            offerNanos = System.nanoTime() - start;
        }
    }

    private record Unchanged(Plan current) implements PlanSource {
        @Override
        public Plan refresh() {
            return current;
        }
    }
}
