package io.sluice.core.simulation;

import io.sluice.core.decision.Lane;

/** How likely a request fails, 0..1, by its lane and the seconds since the stage began. */
@FunctionalInterface
public interface Failures {
    double rate(Lane lane, double seconds);

    /** Constant ones. */
    static Failures of(double stable, double canary) {
        return (lane, seconds) -> lane == Lane.CANARY ? canary : stable;
    }

    /** These until some second, then those. */
    default Failures until(double end, Failures then) {
        return (lane, seconds) -> seconds < end ? rate(lane, seconds) : then.rate(lane, seconds);
    }
}
