package io.sluice.core.simulation;

import io.sluice.core.problem.Problems;

/**
 * How much comes to a service.
 *
 * @param share canary's share of it, 0..1
 * @param requestsPerSecond in both lanes together, more than 0
 */
public record Load(double share, double requestsPerSecond) {
    public Load {
        Problems problems = new Problems();
        problems.require(share >= 0 && share <= 1, "share", share, "must be within 0..1");
        problems.require(
                requestsPerSecond > 0 && requestsPerSecond <= 1e9,
                "requestsPerSecond",
                requestsPerSecond,
                "must be more than 0, and at most 1000000000");
        problems.throwIfAny();
    }

    /** Requests that begin from one second (inclusive) to another (exclusive). */
    long requests(double from, double to) {
        return (long) Math.floor(to * requestsPerSecond + 1e-9) - (long) Math.floor(from * requestsPerSecond + 1e-9);
    }
}
