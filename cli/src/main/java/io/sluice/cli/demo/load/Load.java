package io.sluice.cli.demo.load;

import java.net.URI;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Visits the shop at a fixed rate, however fast it answers, as customers do: a slow shop is not asked less often.
 *
 * <p>Only when very many visits are under way is one left out, and counted.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a visit that fails is an answer too, and the clock is stopped whole
public final class Load implements AutoCloseable {
    private static final int MOST_UNDER_WAY = 512;

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(Load::thread);
    private final Semaphore free = new Semaphore(MOST_UNDER_WAY);
    private final AtomicLong leftOut = new AtomicLong();
    private final ShopClient client;
    private final URI shop;
    private final Visitors visitors;
    private final Consumer<Answer> answers;

    /** @param answers told of each answer, by several threads; must not block or throw */
    public Load(ShopClient client, URI shop, Visitors visitors, Consumer<Answer> answers) {
        this.client = client;
        this.shop = shop;
        this.visitors = visitors;
        this.answers = answers;
    }

    public void start(int visitsPerSecond) {
        long pause = TimeUnit.SECONDS.toNanos(1) / visitsPerSecond;
        clock.scheduleAtFixedRate(this::visit, 0, pause, TimeUnit.NANOSECONDS);
    }

    private void visit() {
        Visit visit = visitors.next();
        if (!free.tryAcquire()) {
            leftOut.incrementAndGet();
            return;
        }
        client.order(shop, visit).thenAccept(answer -> {
            free.release();
            answers.accept(answer);
        });
    }

    /** How many visits were not made because too many were under way. */
    public long leftOut() {
        return leftOut.get();
    }

    /** Sends nothing more, and waits until every visit under way has its answer. */
    @Override
    public void close() {
        clock.shutdownNow();
        free.acquireUninterruptibly(MOST_UNDER_WAY);
        free.release(MOST_UNDER_WAY);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "demo-load");
        thread.setDaemon(true);
        return thread;
    }
}
