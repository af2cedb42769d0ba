package io.sluice.core.observation;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many requests of one lane are under way, by when they began. Without locks, in half a KiB however many they are and
 * however long they take; beginning and ending allocate nothing.
 *
 * <p>Time is cut into parts of a second, or of at most a 16th of a limit that is longer than 32 seconds. A request is
 * overdue when the whole part in which it began lies further back than the limit: never early, late by at most a part.
 */
final class UnderWay {
    private static final int SLOTS = 64;
    private static final int OLDER = SLOTS;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    // One word a slot, so that one atomic step changes both: the part of time above, how many began in it below. A slot
    // that a later part needs gives what it still has to the last cell. All that is there is slow for sure, since all
    // slots together span about twice the limit.
    private final AtomicLongArray slots = new AtomicLongArray(SLOTS + 1);
    private final long limitNanos;
    private final int shift;

    /** @param limitNanos a request that takes longer is overdue */
    UnderWay(long limitNanos) {
        this.limitNanos = limitNanos;
        this.shift = Long.SIZE - Long.numberOfLeadingZeros(limitNanos / SECOND / (SLOTS / 2));
    }

    /** @param second when, in seconds since anything, not negative; it never runs back by more than the threads' races */
    void begin(int second) {
        int part = second >>> shift;
        int slot = part % SLOTS;
        while (true) {
            long before = slots.get(slot);
            int there = part(before);
            if (there > part) {
                slots.incrementAndGet(OLDER);
                return;
            }
            long after = there == part ? before + 1 : (long) part << Integer.SIZE | 1;
            if (slots.compareAndSet(slot, before, after)) {
                if (there != part && number(before) != 0) {
                    slots.addAndGet(OLDER, number(before));
                }
                return;
            }
        }
    }

    /** @param second the one that was given when it began */
    void end(int second) {
        int part = second >>> shift;
        int slot = part % SLOTS;
        while (true) {
            long before = slots.get(slot);
            if (part(before) != part) {
                slots.decrementAndGet(OLDER);
                return;
            }
            if (slots.compareAndSet(slot, before, before - 1)) {
                return;
            }
        }
    }

    /** How many take longer than the limit already. @param now in nanoseconds since the second 0 */
    long overdue(long now) {
        long overdue = slots.get(OLDER);
        for (int slot = 0; slot < SLOTS; slot++) {
            long word = slots.get(slot);
            long partEnds = (part(word) + 1L << shift) * SECOND;
            overdue += now - partEnds >= limitNanos ? number(word) : 0;
        }
        // While a slot is handed over, what ends already may be taken off before it is added.
        return Math.max(0, overdue);
    }

    private static int part(long word) {
        return (int) (word >>> Integer.SIZE);
    }

    private static int number(long word) {
        return (int) word;
    }
}
