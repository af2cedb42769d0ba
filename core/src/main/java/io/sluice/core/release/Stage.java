package io.sluice.core.release;

import io.sluice.core.decision.Percent;
import io.sluice.core.problem.Problems;
import java.time.Duration;

/**
 * One step of a plan.
 *
 * @param percent the share of the customers that canary gets
 * @param hold how long it must be watched, and found healthy at the end, before the next stage; 0..30 days
 */
public record Stage(Percent percent, Duration hold) {
    private static final Duration LONGEST = Duration.ofDays(30);

    public Stage {
        Problems problems = new Problems();
        problems.require(!hold.isNegative() && hold.compareTo(LONGEST) <= 0, "hold", hold, "must be within 0s..30d");
        problems.throwIfAny();
    }
}
