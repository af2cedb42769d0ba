package io.sluice.spring.report;

import io.sluice.core.decision.Lane;
import io.sluice.core.observation.ObservationSink;
import io.sluice.core.tag.TrafficTag;

/** Notes each request twice: in the guard's tallies and in the meters. */
final class MeteredSink implements ObservationSink {
    private final ObservationSink tallies;
    private final Standing standing;
    private final SluiceMeters meters;

    MeteredSink(ObservationSink tallies, Standing standing, SluiceMeters meters) {
        this.tallies = tallies;
        this.standing = standing;
        this.meters = meters;
    }

    @Override
    public Exchange begin(TrafficTag tag) {
        Exchange tallied = tallies.begin(tag);
        Lane lane = standing.laneOf(tag);
        return (latencyNanos, failed) -> {
            tallied.end(latencyNanos, failed);
            meters.requestEnded(lane, latencyNanos, failed);
        };
    }
}
