package io.sluice.core.simulation;

import java.util.stream.IntStream;

/**
 * The quickest that a test of this kind can be: it knows both rates, so it holds only the one right ratio r against "no
 * worse", after every single request, and stops at odds of 1 / alpha (Wald's sequential test of the share of failed
 * requests that are canary's). No guard can know what it knows.
 *
 * @param stable how likely a request of stable fails
 * @param canary likewise of canary, more than stable
 * @param share canary's share, more than 0
 * @param alpha what it may spend
 */
public record Oracle(double stable, double canary, double share, double alpha) {
    /** Its delays in canary requests over so many runs. @param most when a run is given up */
    public Delays delays(int runs, long most, long seed) {
        return Delays.of(IntStream.range(0, runs)
                .parallel()
                .mapToDouble(run -> delay(most, Chance.of(seed, run)))
                .toArray());
    }

    private double delay(long most, Chance chance) {
        double onCanary = Math.log(canary / stable) - Math.log1p(share * (canary / stable - 1));
        double onStable = -Math.log1p(share * (canary / stable - 1));
        double stableFailures = stable * (1 - share) / share;
        double log = 0;
        for (long requests = 1; requests <= most; requests++) {
            log += chance.poisson(stableFailures) * onStable + (chance.happens(canary) ? onCanary : 0);
            if (log >= -Math.log(alpha)) {
                return requests;
            }
        }
        return Double.POSITIVE_INFINITY;
    }
}
