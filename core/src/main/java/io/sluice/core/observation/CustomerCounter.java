package io.sluice.core.observation;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the customers of one lane without locks, in 36 KiB. Several threads record while one drains; recording allocates
 * nothing.
 *
 * <p>A customer whose request failed or was slow comes out as such in the same drain in which it comes out as seen, or in
 * an earlier one, never in a later one. A request without a customer comes out of exactly one drain, whole.
 */
final class CustomerCounter {
    private static final int OUTCOMES = 4;
    private static final int FAILED = 1;
    private static final int SLOW = 2;

    private final AtomicIntegerArray ranks = new AtomicIntegerArray(CustomerSketch.REGISTERS);
    private final SampleCounter failures;
    private final SampleCounter slowOnes;
    private final AtomicLongArray anonymous = new AtomicLongArray(OUTCOMES);

    CustomerCounter() {
        this(new SampleCounter(), new SampleCounter());
    }

    /** With its parts, between which a test can step. */
    CustomerCounter(SampleCounter failures, SampleCounter slowOnes) {
        this.failures = failures;
        this.slowOnes = slowOnes;
    }

    /** Notes a request of a customer, by {@link CustomerHash}. */
    void record(long customer, boolean failed, boolean slow) {
        if (failed) {
            failures.add(customer);
        }
        if (slow) {
            slowOnes.add(customer);
        }
        // Last, while a drain takes it out first: so what happened is never told after who it happened to.
        see(customer);
    }

    /** Notes a request without a customer. */
    void recordAnonymous(boolean failed, boolean slow) {
        anonymous.incrementAndGet((failed ? FAILED : 0) + (slow ? SLOW : 0));
    }

    /** Takes out what was noted since the last drain. */
    CustomerTally drain() {
        CustomerSketch seen = drainSeen();
        long[] outcomes = new long[OUTCOMES];
        for (int outcome = 0; outcome < OUTCOMES; outcome++) {
            outcomes[outcome] = anonymous.getAndSet(outcome, 0);
        }
        long both = outcomes[FAILED + SLOW];
        CustomerTally tally = new CustomerTally(
                seen,
                failures.drain(),
                slowOnes.drain(),
                outcomes[0] + outcomes[FAILED] + outcomes[SLOW] + both,
                outcomes[FAILED] + both,
                outcomes[SLOW] + both);
        return tally.isEmpty() ? CustomerTally.empty() : tally;
    }

    private void see(long customer) {
        int register = CustomerSketch.register(customer);
        int rank = CustomerSketch.rank(customer);
        if (ranks.get(register) < rank) {
            ranks.accumulateAndGet(register, rank, Math::max);
        }
    }

    private CustomerSketch drainSeen() {
        byte[] taken = new byte[CustomerSketch.REGISTERS];
        for (int register = 0; register < taken.length; register++) {
            taken[register] = ranks.get(register) == 0 ? 0 : (byte) ranks.getAndSet(register, 0);
        }
        return new CustomerSketch(taken);
    }
}
