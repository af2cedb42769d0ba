package io.sluice.migration.evidence;

import io.sluice.core.problem.Problems;
import java.time.LocalDate;

/**
 * What was seen on one day (UTC).
 *
 * @param newSuccesses writes and reads that the new side answered with a result
 * @param fallbacks requests of the new side that legacy had to answer
 * @param shadowChecks reads that were compared on both sides
 * @param shadowDiffs those of them that differed, at the same version
 * @param complete whether the whole day was watched: it is over, and no gap in it was longer than allowed
 */
public record EvidenceDay(
        LocalDate date, long newSuccesses, long fallbacks, long shadowChecks, long shadowDiffs, boolean complete) {
    /** @throws io.sluice.core.problem.RefusedException with every problem: negative counts, more differences than checks */
    public EvidenceDay {
        Problems problems = new Problems();
        problems.require(newSuccesses >= 0, "newSuccesses", newSuccesses, "must be 0 or more");
        problems.require(fallbacks >= 0, "fallbacks", fallbacks, "must be 0 or more");
        problems.require(shadowChecks >= 0, "shadowChecks", shadowChecks, "must be 0 or more");
        problems.require(
                shadowDiffs >= 0 && shadowDiffs <= Math.max(shadowChecks, 0),
                "shadowDiffs",
                shadowDiffs,
                "must be within 0..shadowChecks (" + shadowChecks + ")");
        problems.throwIfAny();
    }
}
