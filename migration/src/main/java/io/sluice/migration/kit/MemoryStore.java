package io.sluice.migration.kit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * A small database in memory, for tests: transactions that see what is committed and their own changes, commit whole or
 * leave nothing, and hold rows until they end, as PostgreSQL does under read committed. Threads really wait for each
 * other. Rows are held by table and name, whether they exist or not.
 *
 * <pre>{@code
 * MemoryStore store = new MemoryStore();
 * MemoryTable<Integer> stock = new MemoryTable<>();
 * store.run(transaction -> {
 *     transaction.hold(stock, "sku-1", Hold.CHANGE);
 *     transaction.put(stock, "sku-1", transaction.get(stock, "sku-1").orElse(0) + 5);
 *     return null;
 * });
 * }</pre>
 *
 * <p>Not kept: deadlocks are not found, a wait ends after {@link #LONGEST_WAIT} with an exception. Not for production.
 */
public final class MemoryStore {
    /** How long a row is waited for, unless a limit is given. */
    public static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    private final Map<Row, List<Holder>> held = new HashMap<>();

    /** Begins a transaction. It belongs to one thread at a time, and has to be closed. */
    public MemoryTransaction begin() {
        return new MemoryTransaction(this);
    }

    /** Runs a whole transaction: commits when the work returns, leaves nothing when it throws. */
    public <R> R run(Function<MemoryTransaction, R> work) {
        try (MemoryTransaction transaction = begin()) {
            R result = work.apply(transaction);
            transaction.commit();
            return result;
        }
    }

    /** Waits for a row; an interrupted thread waits no longer. Returns whether the row is held now. */
    boolean hold(MemoryTransaction by, Row row, Hold hold, Duration limit) {
        lock.lock();
        try {
            long left = limit.toNanos();
            while (!isFreeFor(by, row, hold)) {
                if (left <= 0) {
                    return false;
                }
                left = released.awaitNanos(left);
            }
            held.computeIfAbsent(row, absent -> new ArrayList<>()).add(new Holder(by, hold));
            return true;
        } catch (InterruptedException nobodyWaits) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Applies the changes of a transaction at once, and lets go of its rows. */
    void end(MemoryTransaction ended, Runnable changes) {
        lock.lock();
        try {
            changes.run();
            held.values().forEach(holders -> holders.removeIf(holder -> holder.by() == ended));
            held.values().removeIf(List::isEmpty);
            released.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether any thread waits for a row just now; for tests that go on once it does. */
    public boolean isAwaited() {
        lock.lock();
        try {
            return lock.hasWaiters(released);
        } finally {
            lock.unlock();
        }
    }

    private boolean isFreeFor(MemoryTransaction by, Row row, Hold hold) {
        return held.getOrDefault(row, List.of()).stream()
                .allMatch(holder -> holder.by() == by || holder.hold().allows(hold));
    }

    /** How a row is held, named for what it does to others. */
    public enum Hold {
        /** Others may share and change it, nobody may have it alone: {@code FOR KEY SHARE}. */
        SHARE,
        /** Others may share it: {@code FOR NO KEY UPDATE}, which every update takes. */
        CHANGE,
        /** Nobody else: {@code FOR UPDATE}. */
        ALONE;

        boolean allows(Hold other) {
            return this != ALONE && other != ALONE && (this == SHARE || other == SHARE);
        }
    }

    record Row(MemoryTable<?> table, String name) {}

    private record Holder(MemoryTransaction by, Hold hold) {}
}
