package io.sluice.migration.kit;

import static io.sluice.migration.kit.Expect.expect;

import io.sluice.migration.branch.Branch;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.owner.Owners;
import io.sluice.migration.plan.Side;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** What all attempts of one run work with: two branches, their owners, and threads. */
final class Trial<B extends Branch, T> implements AutoCloseable {
    static final Duration LONGEST = Duration.ofSeconds(30);
    static final int THREADS = 6;
    static final int ROUNDS = 10;

    private final BranchFixture<B, T> fixture;
    private final Owners<T> owners;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "branch-kit");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicLong ids = new AtomicLong();
    private final String run = Long.toString(System.nanoTime(), Character.MAX_RADIX);

    Trial(BranchFixture<B, T> fixture) {
        this.fixture = fixture;
        this.owners = fixture.owners();
    }

    BranchFixture<B, T> fixture() {
        return fixture;
    }

    Owners<T> owners() {
        return owners;
    }

    /** A fresh key, owned by a side. */
    Subject<B, T> subject(Side owner) {
        return new Subject<>(this, owner);
    }

    String id() {
        return "kit-" + run + "-" + ids.incrementAndGet();
    }

    B branch(Side side) {
        return fixture.branch(side, fixture.fence());
    }

    /** Drains and hands over; whoever else does it meanwhile is welcome. */
    Owned complete(Owned frozen) {
        return complete(frozen, fixture.copy());
    }

    Owned complete(Owned frozen, KeyCopy<T> copy) {
        long end = System.nanoTime() + LONGEST.toNanos();
        while (true) {
            boolean isDrained = owners.drain(frozen, Duration.ofSeconds(1));
            Owned now = isDrained ? owners.handOver(frozen, copy) : frozen;
            if (!now.isFrozen()) {
                return now;
            }
            expect(System.nanoTime() < end, "a write kept its key for " + LONGEST.toSeconds() + " s");
        }
    }

    /** Calls from several threads that begin at the same moment; what became of each, in order. */
    List<Ended> atOnce(int count, Numbered call) {
        CyclicBarrier start = new CyclicBarrier(count);
        List<Future<Ended>> futures = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            futures.add(threads.submit(() -> {
                start.await(LONGEST.toSeconds(), TimeUnit.SECONDS);
                return Ended.of(() -> call.by(number));
            }));
        }
        return futures.stream().map(this::get).toList();
    }

    <R> Future<R> submit(Callable<R> call) {
        return threads.submit(call);
    }

    <R> R get(Future<R> future) {
        try {
            return future.get(LONGEST.toSeconds() * 2, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw new Refuted("it did not end within " + LONGEST.toSeconds() * 2 + " s");
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Refuted refuted) {
                throw refuted;
            }
            throw new Refuted("it ended with " + failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Refuted("it was interrupted");
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    @FunctionalInterface
    interface Numbered {
        Object by(int number) throws Exception;
    }
}
