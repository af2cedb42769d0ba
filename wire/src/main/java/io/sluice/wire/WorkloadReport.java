package io.sluice.wire;

import io.sluice.core.problem.Problems;
import io.sluice.core.rule.Names;
import io.sluice.core.tag.Color;
import org.jspecify.annotations.Nullable;

/**
 * What a process says of itself, every two seconds and whenever it has taken new rules; the fields are those of
 * {@link io.sluice.core.channel.Workload}.
 *
 * @param epoch of the rules it decides by
 * @param revision of the rules it decides by
 * @param leaving whether this is its last report, since it stops
 */
public record WorkloadReport(
        String service,
        String instance,
        @Nullable Color color,
        String version,
        boolean ready,
        boolean registered,
        long requests,
        long underWay,
        long crossed,
        long epoch,
        long revision,
        String refusal,
        boolean leaving) {
    /** The longest refusal, in characters. */
    public static final int LONGEST_REFUSAL = 1024;

    /** @throws io.sluice.core.problem.RefusedException with every problem */
    public WorkloadReport {
        Problems problems = new Problems();
        problems.part("service", () -> Names.requireService(service));
        problems.part("instance", () -> Names.requireInstance(instance));
        problems.require(requests >= 0, "requests", requests, "must not be negative");
        problems.require(underWay >= 0, "underWay", underWay, "must not be negative");
        problems.require(crossed >= 0, "crossed", crossed, "must not be negative");
        problems.require(epoch >= 0, "epoch", epoch, "must not be negative");
        problems.require(revision >= 0, "revision", revision, "must not be negative");
        problems.require(
                refusal.length() <= LONGEST_REFUSAL,
                "refusal",
                refusal.length() + " characters",
                "must be at most " + LONGEST_REFUSAL);
        problems.throwIfAny();
    }
}
