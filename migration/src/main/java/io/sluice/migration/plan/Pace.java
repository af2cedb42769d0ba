package io.sluice.migration.plan;

import io.sluice.core.problem.RefusedException;

/**
 * How fast keys are moved.
 *
 * @param keysPerSecond at most, over all movers of one process, 1..100,000
 * @param isPaused whether no further move begins; one that has begun is finished
 */
public record Pace(int keysPerSecond, boolean isPaused) {
    public static final Pace DEFAULT = new Pace(500, false);

    private static final int FASTEST = 100_000;

    /** @throws RefusedException for a rate out of range */
    public Pace {
        if (keysPerSecond < 1 || keysPerSecond > FASTEST) {
            throw new RefusedException("keysPerSecond", String.valueOf(keysPerSecond), "must be within 1.." + FASTEST);
        }
    }
}
