package io.sluice.core.rule;

import io.sluice.core.problem.Problems;
import java.time.Duration;

/**
 * A rolling release of a channel that a guard watches: what its instances must know to count their requests. Immutable. It
 * sends no request anywhere: every instance in the traffic gets its share, whatever it runs.
 *
 * @param release the release
 * @param version the new version: who runs it counts on canary, everybody else on stable
 * @param step counts how often a batch left the traffic or came into it
 * @param slowerThan a request that takes longer counts as slow
 * @param overdueAfter a request that is still under way after so long is told of as overdue
 */
public record Renewal(String release, String version, long step, Duration slowerThan, Duration overdueAfter) {
    /** @throws io.sluice.core.problem.RefusedException with every problem */
    public Renewal {
        Problems problems = new Problems();
        problems.part("release", () -> Names.requireId(release));
        problems.part("version", () -> Names.requireVersion(version));
        problems.require(step >= 0, "step", step, "must not be negative");
        problems.require(
                slowerThan.toNanos() > 0, "slowerThan", slowerThan.toMillis() + "ms", "must be longer than zero");
        problems.require(
                overdueAfter.toNanos() > 0, "overdueAfter", overdueAfter.toMillis() + "ms", "must be longer than zero");
        problems.throwIfAny();
    }
}
