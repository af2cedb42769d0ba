package io.sluice.core.observation;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many requests one process has begun to serve since its start, and how many of them are under way: whether it is
 * silent. Safe for all threads, without locks; counting allocates nothing.
 *
 * <p>Health checks and scrapes are no requests here: whoever counts leaves them out.
 */
public final class ServedRequests {
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicLong crossed = new AtomicLong();

    /** A request begins. Each has one {@link #end()}. */
    public void begin() {
        begun.incrementAndGet();
    }

    /** A request that began has ended, however it did. */
    public void end() {
        ended.incrementAndGet();
    }

    /** A request came with the other color of this instance's channel, while that is in release. */
    public void cross() {
        crossed.incrementAndGet();
    }

    public long begun() {
        return begun.get();
    }

    /** Never negative, also while requests begin and end. */
    public long underWay() {
        // In this order, since whatever has ended by now has begun before.
        long over = ended.get();
        return begun.get() - over;
    }

    public long crossed() {
        return crossed.get();
    }
}
