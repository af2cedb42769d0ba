package io.sluice.core.simulation;

import io.sluice.core.decision.Lane;
import io.sluice.core.observation.CustomerSample;
import io.sluice.core.observation.CustomerSketch;
import io.sluice.core.observation.CustomerTally;
import io.sluice.core.observation.LaneTally;
import io.sluice.core.observation.Tally;
import java.util.Map;
import java.util.TreeMap;

/** Requests without customers: each falls on canary by the share, and fails by its lane's rate, for itself alone. */
public final class IndependentTraffic implements Traffic {
    /** Some bucket; latency is not what is simulated here. */
    static final int BUCKET = 300;

    private final Load load;
    private final Failures failures;
    private final Chance chance;

    public IndependentTraffic(Load load, Failures failures, Chance chance) {
        this.load = load;
        this.failures = failures;
        this.chance = chance;
    }

    @Override
    public void report(double from, double to, Reports reports) {
        long requests = load.requests(from, to);
        long canary = chance.binomial(requests, load.share());
        reports.add("canary-0", Lane.CANARY, tally(canary, failures.rate(Lane.CANARY, from)));
        reports.add("stable-0", Lane.STABLE, tally(requests - canary, failures.rate(Lane.STABLE, from)));
    }

    private LaneTally tally(long requests, double rate) {
        if (requests == 0) {
            return LaneTally.empty();
        }
        long failed = chance.binomial(requests, rate);
        return new LaneTally(
                requests(requests, failed),
                new CustomerTally(
                        CustomerSketch.empty(), CustomerSample.empty(), CustomerSample.empty(), requests, failed, 0),
                0);
    }

    static Tally requests(long count, long failed) {
        return count == 0 ? Tally.empty() : new Tally(count, failed, 0, new TreeMap<>(Map.of(BUCKET, count)));
    }
}
