package io.sluice.core.simulation;

import io.sluice.core.decision.Lane;
import io.sluice.core.observation.CustomerSample;
import io.sluice.core.observation.CustomerSketch;
import io.sluice.core.observation.CustomerTally;
import io.sluice.core.observation.LaneCounter;
import io.sluice.core.observation.LaneTally;
import io.sluice.core.observation.Tally;
import java.time.Duration;
import java.util.function.ToLongFunction;

/** Requests without customers that never fail, but take their time. */
public final class TimedTraffic implements Traffic {
    private final Load load;
    private final ToLongFunction<Chance> stable;
    private final ToLongFunction<Chance> canary;
    private final Chance chance;
    private final LaneCounter canaryCounter;
    private final LaneCounter stableCounter;

    /**
     * @param stable draws a latency of stable in nanoseconds
     * @param canary likewise of canary
     * @param limit what makes a request slow
     */
    public TimedTraffic(
            Load load, ToLongFunction<Chance> stable, ToLongFunction<Chance> canary, Duration limit, Chance chance) {
        this.load = load;
        this.stable = stable;
        this.canary = canary;
        this.chance = chance;
        this.canaryCounter = new LaneCounter(limit.toNanos());
        this.stableCounter = new LaneCounter(limit.toNanos());
    }

    @Override
    public void report(double from, double to, Reports reports) {
        for (long left = load.requests(from, to); left > 0; left--) {
            if (chance.happens(load.share())) {
                canaryCounter.record(canary.applyAsLong(chance), false);
            } else {
                stableCounter.record(stable.applyAsLong(chance), false);
            }
        }
        reports.add("canary-0", Lane.CANARY, tally(canaryCounter.drain()));
        reports.add("stable-0", Lane.STABLE, tally(stableCounter.drain()));
    }

    private static LaneTally tally(Tally requests) {
        return new LaneTally(
                requests,
                new CustomerTally(
                        CustomerSketch.empty(),
                        CustomerSample.empty(),
                        CustomerSample.empty(),
                        requests.count(),
                        requests.failed(),
                        requests.slow()),
                0);
    }
}
