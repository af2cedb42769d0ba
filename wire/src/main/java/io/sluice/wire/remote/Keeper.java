package io.sluice.wire.remote;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.sluice.core.rule.RuleSet;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes rules to the last-good file on a daemon thread of its own, so that a disk which hangs holds up neither the rules that
 * follow nor anybody who decides. What comes while it writes waits, the newest only. The thread ends when there is nothing to do.
 */
final class Keeper implements AutoCloseable {
    private static final Duration LAST_WRITE = Duration.ofSeconds(1);

    private final LastGoodFile file;
    private final Consumer<RuleSet> kept;
    private final AtomicReference<@Nullable RuleSet> due = new AtomicReference<>();
    private final ThreadPoolExecutor thread;

    /** @param kept is told of each rule set that was written, or that could not be, on the keeper's thread */
    Keeper(LastGoodFile file, Consumer<RuleSet> kept) {
        this.file = file;
        this.kept = kept;
        this.thread = new ThreadPoolExecutor(
                1, 1, 1, SECONDS, new LinkedBlockingQueue<>(), Keeper::writer, new ThreadPoolExecutor.DiscardPolicy());
        this.thread.allowCoreThreadTimeOut(true);
    }

    private static Thread writer(Runnable task) {
        Thread writer = new Thread(task, "sluice-last-good");
        writer.setDaemon(true);
        return writer;
    }

    /** Keeps these rules soon, unless newer ones come first. By one thread at a time, newer ones later; not after the end. */
    void keep(RuleSet rules) {
        if (due.getAndSet(rules) == null) {
            thread.execute(this::write);
        }
    }

    private void write() {
        RuleSet rules = due.getAndSet(null);
        if (rules != null) {
            file.save(rules);
            kept.accept(rules);
        }
    }

    /** Waits a second at most for what is still to be written. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            thread.awaitTermination(LAST_WRITE.toNanos(), NANOSECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
