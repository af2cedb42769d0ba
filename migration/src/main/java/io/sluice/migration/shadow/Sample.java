package io.sluice.migration.shadow;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Which of the reads are looked at twice: the same ones in every run, without chance, evenly spread, and not in step with
 * traffic that repeats itself.
 *
 * <p>The n-th read is taken when the fractional part of n times the golden ratio is below the share (a Weyl sequence), so
 * that the count over any stretch is off by few.
 */
final class Sample {
    static final int ALL = 10_000;

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final AtomicLong reads = new AtomicLong();
    private final boolean takesAll;
    private final long below;

    /** @param basisPoints of 10,000 reads, 0..10,000 */
    Sample(int basisPoints) {
        this.takesAll = basisPoints == ALL;
        this.below = Long.divideUnsigned(-1L, ALL) * basisPoints;
    }

    /** Whether to take this one. Allocates nothing. */
    boolean takesNext() {
        return takesAll || Long.compareUnsigned(reads.getAndIncrement() * GOLDEN, below) < 0;
    }
}
