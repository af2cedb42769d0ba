package io.sluice.core.guard;

import io.sluice.core.problem.Problems;

/**
 * What happened in both lanes over the same time. What is counted, customers or requests, is the metric's business.
 *
 * @param canary how many were on canary
 * @param canaryBad how many of them had it happen for the first time
 * @param stable how many were on stable
 * @param stableBad likewise
 */
public record Tick(long canary, long canaryBad, long stable, long stableBad) {
    /** Nobody. */
    public static final Tick NOTHING = new Tick(0, 0, 0, 0);

    /** @throws io.sluice.core.problem.RefusedException when the numbers contradict each other */
    public Tick {
        Problems problems = new Problems();
        problems.require(canaryBad >= 0 && canaryBad <= canary, "canaryBad", canaryBad, "must be within 0.." + canary);
        problems.require(stableBad >= 0 && stableBad <= stable, "stableBad", stableBad, "must be within 0.." + stable);
        problems.throwIfAny();
    }

    /** Canary's share of all, which is what it would have of the bad ones if it were no worse; 0 when nobody is there. */
    public double share() {
        return canary == 0 ? 0 : canary / ((double) canary + stable);
    }

    /** The share of bad ones on canary; 0 when nobody is there. */
    public double canaryRate() {
        return canary == 0 ? 0 : (double) canaryBad / canary;
    }

    /** The share of bad ones on stable; 0 when nobody is there. */
    public double stableRate() {
        return stable == 0 ? 0 : (double) stableBad / stable;
    }

    /** Both together; sums end at {@link Long#MAX_VALUE}. */
    public Tick plus(Tick other) {
        return new Tick(
                sum(canary, other.canary),
                sum(canaryBad, other.canaryBad),
                sum(stable, other.stable),
                sum(stableBad, other.stableBad));
    }

    private static long sum(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
