package io.sluice.migration.evidence;

import io.sluice.core.problem.Problems;

/**
 * When the old implementation may go.
 *
 * @param minNewSuccesses successes of the new side, at least; fewer say nothing about rates
 * @param maxFallbackBps fallbacks per 10,000 requests of the new side, at most
 * @param maxShadowDiffBps differences per 10,000 comparisons, at most
 * @param minDays unbroken days at the end, at least
 */
public record ExitCriteria(long minNewSuccesses, int maxFallbackBps, int maxShadowDiffBps, int minDays) {
    public static final ExitCriteria DEFAULT = new ExitCriteria(50_000, 10, 5, 7);

    /** @throws io.sluice.core.problem.RefusedException with every problem */
    public ExitCriteria {
        Problems problems = new Problems();
        problems.require(minNewSuccesses >= 1, "minNewSuccesses", minNewSuccesses, "must be 1 or more");
        problems.require(
                maxFallbackBps >= 0 && maxFallbackBps <= 10_000,
                "maxFallbackBps",
                maxFallbackBps,
                "must be within 0..10000");
        problems.require(
                maxShadowDiffBps >= 0 && maxShadowDiffBps <= 10_000,
                "maxShadowDiffBps",
                maxShadowDiffBps,
                "must be within 0..10000");
        problems.require(minDays >= 1 && minDays <= 366, "minDays", minDays, "must be within 1..366");
        problems.throwIfAny();
    }
}
