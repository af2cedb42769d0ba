package io.sluice.migration.evidence;

import io.sluice.core.problem.Problems;
import java.time.LocalDate;

/**
 * What was seen on one day (UTC).
 *
 * @param newSuccesses writes and reads that the new side answered with a result
 * @param fallbacks requests of the new side that it could not take: legacy had to answer, or nobody did, those of unknown outcome included
 * @param shadowChecks reads that were compared on both sides
 * @param shadowDiffs those of them that differed, at the same version
 * @param complete whether the whole day was watched: it is over, and no gap in it was longer than allowed
 */
public record EvidenceDay(
        LocalDate date, long newSuccesses, long fallbacks, long shadowChecks, long shadowDiffs, boolean complete) {
    /**
     * @throws io.sluice.core.problem.RefusedException with every problem: negative counts, more differences than checks, a
     *     year outside 1..9999
     */
    public EvidenceDay {
        Problems problems = new Problems();
        requireDate(date, problems);
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

    /** One with a day before and after it, and four digits for its year. */
    static void requireDate(LocalDate date, Problems problems) {
        problems.require(
                date.getYear() >= 1 && date.getYear() <= 9999, "date", date, "must be within 0001-01-01..9999-12-31");
    }
}
