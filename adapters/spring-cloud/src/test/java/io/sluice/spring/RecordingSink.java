package io.sluice.spring;

import io.sluice.core.observation.ObservationSink;
import io.sluice.core.tag.TrafficTag;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A sink that a test can read. */
public final class RecordingSink implements ObservationSink {
    private final List<Ended> ended = new CopyOnWriteArrayList<>();

    @Override
    public Exchange begin(TrafficTag tag) {
        return (latencyNanos, failed) -> ended.add(new Ended(tag, failed));
    }

    /** The requests that ended, in order. */
    public List<Ended> ended() {
        return List.copyOf(ended);
    }

    /** A request that ended. */
    public record Ended(TrafficTag tag, boolean failed) {}
}
