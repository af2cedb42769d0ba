package io.sluice.core.channel;

import io.sluice.core.problem.DurationWord;
import io.sluice.core.problem.Problems;
import java.time.Duration;

/**
 * How long a channel release waits for what it cannot see or hurry.
 *
 * @param grace after a side was drained and every process knows it, until its instances leave their registry: the time
 *     that requests under way may need to reach their last hop
 * @param quiet for how long a side must be seen without a request before it counts as drained
 * @param spread after a side's instances are ready and registered, until it gets its first share: the longest that a
 *     caller may go on with an old list of instances
 * @param deployWithin after which a deployment that has not finished is a human's business
 */
public record Waits(Duration grace, Duration quiet, Duration spread, Duration deployWithin) {
    // Before DEFAULT, which is checked with it.
    private static final Duration LONGEST = Duration.ofDays(1);

    /** For callers as Spring Cloud makes them, whose lists of instances live for 35 seconds. */
    public static final Waits DEFAULT =
            new Waits(Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(40), Duration.ofMinutes(10));

    /** @throws io.sluice.core.problem.RefusedException with every problem */
    public Waits {
        Problems problems = new Problems();
        require(grace, Duration.ZERO, "grace", problems);
        require(quiet, Duration.ofSeconds(1), "quiet", problems);
        require(spread, Duration.ZERO, "spread", problems);
        require(deployWithin, Duration.ofSeconds(1), "deployWithin", problems);
        problems.throwIfAny();
    }

    private static void require(Duration value, Duration least, String name, Problems problems) {
        problems.require(
                value.compareTo(least) >= 0 && value.compareTo(LONGEST) <= 0,
                name,
                DurationWord.of(value),
                "must be within " + DurationWord.of(least) + ".." + DurationWord.of(LONGEST));
    }
}
