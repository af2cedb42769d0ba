package io.sluice.core.observation;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Gathers a {@link CustomerSample} without locks, in 16 KiB. Several threads add while one drains.
 *
 * <p>A customer who was added is in the sample of the drain that follows, or in that of the next one, unless its hash is
 * not in the level which that sample has.
 */
class SampleCounter {
    private static final int SLOT_BITS = 11;
    private static final int SLOTS = 1 << SLOT_BITS;
    private static final int MOST_PROBES = 64;
    // A level that rises halves who is in it, and has as much room again.
    private static final int PER_LEVEL = CustomerSample.MOST_IN_REPORT / 2;

    // A set with open addressing; 0 is free. Only the drain takes anybody out, so nobody can be lost between two
    // threads:
    // who is not in the level any more just stays until then. That is enough room for a million customers between two
    // drains; of more, ever fewer are kept.
    private final AtomicLongArray slots = new AtomicLongArray(SLOTS);
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicInteger level = new AtomicInteger();

    /** Adds a customer, not 0. Allocates nothing. */
    void add(long customer) {
        if (!CustomerSample.isIn(customer, level.get())) {
            return;
        }
        int slot = (int) (customer >>> (Long.SIZE - SLOT_BITS));
        for (int probe = 0; probe < MOST_PROBES; probe++) {
            long there = slots.get(slot);
            if (there == 0) {
                there = slots.compareAndExchange(slot, 0, customer);
                if (there == 0) {
                    int most = CustomerSample.MOST_IN_REPORT - PER_LEVEL;
                    rise((size.incrementAndGet() - most - 1) / PER_LEVEL);
                    return;
                }
            }
            if (there == customer) {
                return;
            }
            slot = slot + 1 & SLOTS - 1;
        }
        // No room: then the level must be one that it is not in.
        rise(Long.numberOfTrailingZeros(customer) + 1);
    }

    /** Takes out who was added since the last drain. */
    CustomerSample drain() {
        long[] taken = new long[SLOTS];
        int n = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            long customer = slots.get(slot) == 0 ? 0 : slots.getAndSet(slot, 0);
            if (customer != 0) {
                taken[n++] = customer;
            }
        }
        size.addAndGet(-n);
        // Last, so that whoever was turned away before now is not in the level of this sample either.
        int risen = level.getAndSet(0);
        return n == 0 && risen == 0
                ? CustomerSample.empty()
                : CustomerSample.of(risen, CustomerSample.MOST_IN_REPORT, Arrays.stream(taken, 0, n));
    }

    private void rise(int wanted) {
        int highest = Math.min(wanted, CustomerSample.HIGHEST_LEVEL);
        if (highest > level.get()) {
            level.accumulateAndGet(highest, Math::max);
        }
    }
}
