package io.sluice.cli.demo.migration;

import io.sluice.cli.demo.migration.Reply.Kind;
import io.sluice.core.observation.LaneCounter;
import io.sluice.core.observation.Tally;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Customers who look, reserve and release at a fixed rate, at both routers, with a liking for some SKUs, which sell out. They note
 * what they were told.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a request that fails is an answer too, and the clock is stopped whole
final class Customers implements AutoCloseable {
    /** How the inventory's processes name what they stock. */
    static final String SKUS = "sku-%05d";

    private static final int MOST_UNDER_WAY = 128;
    private static final int MOST_AT_ONCE = 3;
    private static final int OF_TEN_RESERVE = 5;
    private static final int OF_TEN_RELEASE = 2;
    private static final Duration SLOW = Duration.ofSeconds(1);

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(Customers::thread);
    private final Semaphore free = new Semaphore(MOST_UNDER_WAY);
    private final Random random = new Random(1);
    private final InventoryClient client;
    private final List<URI> routers;
    private final int skus;
    private final Sales sales;
    private final LaneCounter answers = new LaneCounter(SLOW.toNanos());
    private final AtomicLong soldOut = new AtomicLong();
    private final AtomicLong nothing = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();
    private Tally all = Tally.empty();

    Customers(InventoryClient client, List<URI> routers, int skus, Sales sales) {
        this.client = client;
        this.routers = routers;
        this.skus = skus;
        this.sales = sales;
    }

    void start(int requestsPerSecond) {
        long pause = TimeUnit.SECONDS.toNanos(1) / requestsPerSecond;
        clock.scheduleAtFixedRate(this::act, 0, pause, TimeUnit.NANOSECONDS);
    }

    private void act() {
        if (!free.tryAcquire()) {
            return;
        }
        int what = random.nextInt(10);
        @Nullable
        Sale held = what >= OF_TEN_RESERVE && what < OF_TEN_RESERVE + OF_TEN_RELEASE ? sales.beginRelease() : null;
        if (what < OF_TEN_RESERVE) {
            reserve();
        } else if (held != null) {
            release(held);
        } else {
            look();
        }
    }

    private void reserve() {
        Sale sale = sales.begin(anySku(), 1 + random.nextInt(MOST_AT_ONCE));
        send(
                "POST",
                "/reserve?id=" + sale.id() + "&order=o-" + sale.id() + "&sku=" + sale.sku() + "&quantity="
                        + sale.quantity(),
                reply -> sales.reserved(sale, reply.known()));
    }

    private void release(Sale sale) {
        send(
                "POST",
                "/release?id=" + sale.releaseId() + "&reservation=" + sale.id(),
                reply -> sales.released(sale, reply.known()));
    }

    private void look() {
        send("GET", "/available?sku=" + anySku(), reply -> {});
    }

    private void send(String method, String what, Consumer<Reply> then) {
        int first = random.nextInt(routers.size());
        URI other = routers.get((first + 1) % routers.size());
        client.send(method, routers.get(first), other, what).thenAccept(reply -> {
            then.accept(reply);
            // A read that was not answered leaves nothing open.
            boolean isRead = method.equals("GET");
            count(isRead && reply.kind() == Kind.UNKNOWN ? new Reply(Kind.NOTHING, "", reply.nanos()) : reply);
            free.release();
        });
    }

    private void count(Reply reply) {
        answers.record(reply.nanos(), reply.kind() == Kind.NOTHING || reply.kind() == Kind.UNKNOWN);
        switch (reply.kind()) {
            case NO -> soldOut.incrementAndGet();
            case NOTHING -> nothing.incrementAndGet();
            case UNKNOWN -> unknown.incrementAndGet();
            case DONE -> {}
        }
    }

    /** The square makes the first ones more popular. */
    private String anySku() {
        double any = random.nextDouble();
        return String.format(Locale.ROOT, SKUS, (int) (any * any * skus));
    }

    /**
     * What they have seen so far.
     *
     * @param requests with an answer or without
     * @param soldOut of those, answers that there is not enough
     * @param nothing of those, writes that certainly did not happen and reads without an answer, since the owner could not be had
     * @param unknown of those, writes without an answer, or with one that leaves it open
     * @param p99 of all
     */
    record Figures(long requests, long soldOut, long nothing, long unknown, Duration p99) {}

    synchronized Figures figures() {
        all = all.merge(answers.drain());
        return new Figures(all.count(), soldOut.get(), nothing.get(), unknown.get(), all.quantile(99));
    }

    /** Sends nothing more, and waits until every request under way has ended. */
    @Override
    public void close() {
        clock.shutdownNow();
        free.acquireUninterruptibly(MOST_UNDER_WAY);
        free.release(MOST_UNDER_WAY);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "demo-customers");
        thread.setDaemon(true);
        return thread;
    }
}
