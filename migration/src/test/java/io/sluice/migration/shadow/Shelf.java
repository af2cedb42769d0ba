package io.sluice.migration.shadow;

import io.sluice.migration.branch.Branch;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.Read;
import io.sluice.migration.branch.Versioned;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A side with one number for all keys, which reads it as a test wants. */
class Shelf implements Branch {
    static final Read<Shelf, Integer> AVAILABLE = Read.named("available", Shelf::available);

    final AtomicInteger reads = new AtomicInteger();
    final AtomicInteger readsAtOnce = new AtomicInteger();
    final AtomicInteger mostReadsAtOnce = new AtomicInteger();
    private volatile Versioned<Integer> state;
    private volatile Function<Versioned<Integer>, Versioned<Integer>> reading = state -> state;

    Shelf(int value, long version) {
        state = new Versioned<>(value, version);
    }

    Versioned<Integer> available(Grant grant) {
        reads.incrementAndGet();
        mostReadsAtOnce.accumulateAndGet(readsAtOnce.incrementAndGet(), Math::max);
        try {
            return reading.apply(state);
        } finally {
            readsAtOnce.decrementAndGet();
        }
    }

    /** From now on its reads do this, given what it holds. */
    void reads(Function<Versioned<Integer>, Versioned<Integer>> reading) {
        this.reading = reading;
    }

    Versioned<Integer> state() {
        return state;
    }

    void becomes(Versioned<Integer> state) {
        this.state = state;
    }

    /** Nothing is ever written here. */
    @Override
    public Outcome outcome(Grant grant, String operationId) {
        return Outcome.DID_NOT_HAPPEN;
    }

    @Override
    public Optional<String> keyOf(String operationId) {
        return Optional.empty();
    }
}
