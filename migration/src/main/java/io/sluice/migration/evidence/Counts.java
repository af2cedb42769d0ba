package io.sluice.migration.evidence;

import io.sluice.core.problem.Problems;

/**
 * What a {@link Tally} came to.
 *
 * @param newSuccesses requests that the new side answered with a result
 * @param legacySuccesses requests that legacy answered with a result
 * @param fallbacks requests of the new side that it could not take: legacy had to answer, or nobody did, those of unknown outcome included
 * @param shadowChecks reads that were compared on both sides
 * @param shadowDiffs those of them that differed
 * @param notCompared reads that were to be compared and were not
 * @param unknown requests of which it is not known whether they happened
 * @param behind how often a fence refused
 */
public record Counts(
        long newSuccesses,
        long legacySuccesses,
        long fallbacks,
        long shadowChecks,
        long shadowDiffs,
        long notCompared,
        long unknown,
        long behind) {
    public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, 0);

    /** @throws io.sluice.core.problem.RefusedException with every problem: negative counts, more differences than checks */
    public Counts {
        Problems problems = new Problems();
        requireCount("newSuccesses", newSuccesses, problems);
        requireCount("legacySuccesses", legacySuccesses, problems);
        requireCount("fallbacks", fallbacks, problems);
        requireCount("shadowChecks", shadowChecks, problems);
        problems.require(
                shadowDiffs >= 0 && shadowDiffs <= Math.max(shadowChecks, 0),
                "shadowDiffs",
                shadowDiffs,
                "must be within 0..shadowChecks (" + shadowChecks + ")");
        requireCount("notCompared", notCompared, problems);
        requireCount("unknown", unknown, problems);
        requireCount("behind", behind, problems);
        problems.throwIfAny();
    }

    /** Both together; a sum that is too large for a long stays the largest there is. */
    public Counts plus(Counts other) {
        return new Counts(
                sum(newSuccesses, other.newSuccesses),
                sum(legacySuccesses, other.legacySuccesses),
                sum(fallbacks, other.fallbacks),
                sum(shadowChecks, other.shadowChecks),
                sum(shadowDiffs, other.shadowDiffs),
                sum(notCompared, other.notCompared),
                sum(unknown, other.unknown),
                sum(behind, other.behind));
    }

    private static void requireCount(String path, long count, Problems problems) {
        problems.require(count >= 0, path, count, "must be 0 or more");
    }

    private static long sum(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
