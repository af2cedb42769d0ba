package io.sluice.core.observation;

import io.sluice.core.tag.TrafficTag;

/** Takes note of requests. Called on the request path: never throws, never blocks. */
@FunctionalInterface
public interface ObservationSink {
    /** A request begins; what comes of it is told to the exchange. */
    Exchange begin(TrafficTag tag);

    /** Notes nothing. */
    static ObservationSink discarding() {
        return tag -> (latencyNanos, failed) -> {};
    }

    /** One request under way. */
    @FunctionalInterface
    interface Exchange {
        /**
         * It ended. Time-outs and cancelled requests are failures. A request ends once; what is told of it afterwards is
         * passed over.
         *
         * @param latencyNanos how long it took; negative counts as zero
         */
        void end(long latencyNanos, boolean failed);
    }
}
