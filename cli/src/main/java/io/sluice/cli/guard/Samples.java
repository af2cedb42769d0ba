package io.sluice.cli.guard;

import io.sluice.core.observation.LaneCounter;
import io.sluice.core.observation.Tally;
import java.time.Duration;
import java.util.Arrays;

/**
 * All requests of one input: counted as a process would count them, and their latencies kept, eight bytes each, so that
 * the P99 shown is the exact one.
 */
final class Samples {
    private final LaneCounter counter;
    private long[] nanos = new long[1024];
    private int size;

    /** @param limit a request that takes longer counts as slow */
    Samples(Duration limit) {
        counter = new LaneCounter(limit.toNanos());
    }

    void add(Sample sample) {
        counter.record(sample.nanos(), sample.failed());
        if (size == nanos.length) {
            nanos = Arrays.copyOf(nanos, size * 2);
        }
        nanos[size++] = sample.nanos();
    }

    /** Takes out what was counted. */
    Tally drain() {
        return counter.drain();
    }

    /** The nearest-rank P99, that of rank ceil(0.99 n); zero when there are no requests. */
    Duration p99() {
        if (size == 0) {
            return Duration.ZERO;
        }
        Arrays.sort(nanos, 0, size);
        long rank = (size * 99L + 99) / 100;
        return Duration.ofNanos(nanos[(int) rank - 1]);
    }
}
