package io.sluice.server.leadership;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads while it holds the lease. By its own clock it stops believing so when it could not renew in time; a server that
 * stood still meanwhile, in the middle of a look, believes it for a moment longer, and is refused by the database.
 */
final class LeasedLeadership implements Leadership, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LeasedLeadership.class);
    private static final Held NOTHING = new Held(0, 0);

    private final Lease lease;
    private final LeaseTimes times;
    private final LongSupplier nanoClock;
    private final ThreadLocal<@Nullable Long> acting = new ThreadLocal<>();

    // Its own thread: a look that takes long must not cost the lease.
    private final ScheduledExecutorService renewals = new ScheduledThreadPoolExecutor(
            1,
            task -> {
                Thread thread = new Thread(task, "sluice-lease");
                thread.setDaemon(true);
                return thread;
            },
            new ThreadPoolExecutor.DiscardPolicy());
    private volatile Held held = NOTHING;
    private boolean failureIsLogged;

    /**
     * @param epoch 0 for not held
     * @param since when the last renewal that succeeded was begun
     */
    private record Held(long epoch, long since) {}

    LeasedLeadership(Lease lease, LeaseTimes times, LongSupplier nanoClock) {
        this.lease = lease;
        this.times = times;
        this.nanoClock = nanoClock;
    }

    /** Asks for the lease now, and again and again. */
    LeasedLeadership start() {
        renewals.execute(this::askAndComeAgain);
        return this;
    }

    private void askAndComeAgain() {
        ask();
        Duration pause = held.epoch == 0 ? times.lookEvery() : times.renewEvery();
        renewals.schedule(this::askAndComeAgain, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Renews or takes the lease, once. */
    void ask() {
        long now = nanoClock.getAsLong();
        try {
            if (held.epoch == 0) {
                take(now);
            } else if (lease.renew(held.epoch)) {
                held = new Held(held.epoch, now);
            } else {
                log.warn("another server leads now; epoch {} was ours", held.epoch);
                held = NOTHING;
            }
            failureIsLogged = false;
        } catch (RuntimeException failed) {
            if (!failureIsLogged) {
                log.warn("the lease could not be asked for", failed);
            }
            failureIsLogged = true;
        }
    }

    private void take(long now) {
        OptionalLong epoch = lease.take();
        if (epoch.isPresent()) {
            held = new Held(epoch.getAsLong(), now);
            log.info("this server leads, in epoch {}", held.epoch);
        }
    }

    @Override
    public long epoch() {
        Held known = held;
        return isHeld(known) ? known.epoch : 0;
    }

    private boolean isHeld(Held known) {
        return known.epoch != 0
                && nanoClock.getAsLong() - known.since < times.expiry().toNanos();
    }

    @Override
    public void lead(Runnable action) {
        Held known = held;
        if (!isHeld(known)) {
            return;
        }
        acting.set(known.epoch);
        try {
            action.run();
        } catch (LeadershipLostException lost) {
            log.warn("what was under way was not saved: {}", lost.getMessage());
        } finally {
            acting.remove();
        }
    }

    @Override
    public <T> T inTerm(Supplier<T> action) {
        Held known = held;
        if (!isHeld(known)) {
            throw new NotLeaderException();
        }
        acting.set(known.epoch);
        try {
            return action.get();
        } finally {
            acting.remove();
        }
    }

    @Override
    public void requireStill() {
        Long epoch = acting.get();
        if (epoch == null) {
            return;
        }
        long now = lease.hold();
        if (now != epoch) {
            throw new LeadershipLostException(epoch, now);
        }
    }

    /** Another server need not wait for the lease of one that ends in good order. */
    @Override
    public void close() throws InterruptedException {
        renewals.shutdownNow();
        renewals.awaitTermination(1, TimeUnit.SECONDS);
        Held last = held;
        held = NOTHING;
        if (last.epoch == 0) {
            return;
        }
        try {
            lease.giveUp(last.epoch);
        } catch (RuntimeException unreachable) {
            log.info("the lease was not given up; it expires by itself", unreachable);
        }
    }
}
