package io.sluice.cli.guard;

import io.sluice.core.decision.Percent;
import io.sluice.core.simulation.Chance;
import io.sluice.core.simulation.Failures;
import io.sluice.core.simulation.IndependentTraffic;
import io.sluice.core.simulation.Load;
import io.sluice.core.simulation.StickyTraffic;
import io.sluice.core.simulation.Traffic;
import java.time.Duration;

/**
 * The service that is asked about.
 *
 * @param baseError the share of requests that fails in it today
 * @param requestsPerSecond in both lanes together
 * @param customers how many there are; 0 when each request shall stand for itself
 * @param retries how often a customer's failed request is tried again, in vain
 */
record Service(double baseError, double requestsPerSecond, int customers, int retries) {
    /** How alike two requests of one customer are in failing. */
    private static final double RHO = 0.05;

    double canaryPerSecond(Percent percent) {
        return requestsPerSecond * share(percent);
    }

    /** Its traffic while so much of canary fails. */
    Traffic traffic(Percent percent, double canaryError, Chance chance) {
        Load load = new Load(share(percent), requestsPerSecond);
        Failures failures = Failures.of(baseError, canaryError);
        return customers == 0
                ? new IndependentTraffic(load, failures, chance)
                : new StickyTraffic(load, failures, new StickyTraffic.Crowd(customers, RHO, retries), chance);
    }

    /** What a look after so long costs, in looks without customers, roughly. */
    double costOfALook(Duration step) {
        return customers == 0 ? 1 : 5 + step.toMillis() / 1e3 * requestsPerSecond / 50;
    }

    private static double share(Percent percent) {
        return percent.basisPoints() / 10_000.0;
    }
}
