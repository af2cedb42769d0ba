package io.sluice.core.observation;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the requests of one lane without locks. Several threads record while one drains; each request comes out of
 * exactly one drain, whole.
 */
public final class LaneCounter {
    // One cell a bucket for each of the four outcomes: one atomic step records a request, so no drain can tear it.
    private static final int OUTCOMES = 4;
    private static final int FAILED = 1;
    private static final int SLOW = 2;

    private final AtomicLongArray cells = new AtomicLongArray(LatencyBuckets.COUNT * OUTCOMES);
    private final long slowerThanNanos;

    /** @param slowerThanNanos a request that takes longer counts as slow */
    public LaneCounter(long slowerThanNanos) {
        this.slowerThanNanos = slowerThanNanos;
    }

    /** Counts one request. Allocates nothing. */
    public void record(long latencyNanos, boolean failed) {
        int bucket = LatencyBuckets.index(TimeUnit.NANOSECONDS.toMicros(latencyNanos));
        int outcome = (failed ? FAILED : 0) + (latencyNanos > slowerThanNanos ? SLOW : 0);
        cells.incrementAndGet(bucket * OUTCOMES + outcome);
    }

    /** Takes out what was counted since the last drain. */
    public Tally drain() {
        long count = 0;
        long failed = 0;
        long slow = 0;
        SortedMap<Integer, Long> latencies = new TreeMap<>();
        for (int cell = 0; cell < cells.length(); cell++) {
            long n = cells.get(cell) == 0 ? 0 : cells.getAndSet(cell, 0);
            if (n > 0) {
                int outcome = cell % OUTCOMES;
                count += n;
                failed += (outcome & FAILED) == 0 ? 0 : n;
                slow += (outcome & SLOW) == 0 ? 0 : n;
                latencies.merge(cell / OUTCOMES, n, Long::sum);
            }
        }
        return count == 0 ? Tally.empty() : new Tally(count, failed, slow, latencies);
    }
}
