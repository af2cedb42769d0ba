package io.sluice.migration.shadow;

import io.sluice.migration.evidence.Tally;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what shadow reads count. */
class Counted implements Tally {
    final AtomicInteger same = new AtomicInteger();
    final AtomicInteger different = new AtomicInteger();
    final AtomicInteger notCompared = new AtomicInteger();

    @Override
    public void compared(boolean isDifferent) {
        (isDifferent ? different : same).incrementAndGet();
    }

    @Override
    public void notCompared() {
        notCompared.incrementAndGet();
    }

    int all() {
        return same.get() + different.get() + notCompared.get();
    }
}
