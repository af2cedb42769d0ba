package io.sluice.demo.inventory;

import io.sluice.migration.evidence.Tally;
import io.sluice.migration.plan.Side;
import java.util.concurrent.atomic.AtomicLong;

final class CountingTally implements Tally {
    final AtomicLong fallbacks = new AtomicLong();
    final AtomicLong newSuccesses = new AtomicLong();
    final AtomicLong legacySuccesses = new AtomicLong();
    final AtomicLong behind = new AtomicLong();

    @Override
    public void succeeded(Side side) {
        (side == Side.NEW ? newSuccesses : legacySuccesses).incrementAndGet();
    }

    @Override
    public void fellBack() {
        fallbacks.incrementAndGet();
    }

    @Override
    public void wasBehind() {
        behind.incrementAndGet();
    }
}
