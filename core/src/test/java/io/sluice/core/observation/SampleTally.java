package io.sluice.core.observation;

import java.time.Duration;
import java.util.List;

/** Tallies for tests, counted by the product's own counter. */
public final class SampleTally {
    private SampleTally() {}

    /** Requests that all took as long, the first of them failed. */
    public static Tally of(long count, long failed, Duration latency, Duration slowerThan) {
        LaneCounter counter = new LaneCounter(slowerThan.toNanos());
        for (long i = 0; i < count; i++) {
            counter.record(latency.toNanos(), i < failed);
        }
        return counter.drain();
    }

    /** Requests with these latencies, none failed. */
    public static Tally ofLatencies(List<Duration> latencies, Duration slowerThan) {
        LaneCounter counter = new LaneCounter(slowerThan.toNanos());
        latencies.forEach(latency -> counter.record(latency.toNanos(), false));
        return counter.drain();
    }
}
