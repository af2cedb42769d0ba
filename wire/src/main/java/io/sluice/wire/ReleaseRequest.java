package io.sluice.wire;

import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.release.ReleaseSpec;

/**
 * A request for a new release.
 *
 * @param spec what is asked for
 * @param why for the journal, at most {@value #LONGEST_WHY} characters; may be empty
 */
public record ReleaseRequest(ReleaseSpec spec, String why) {
    private static final int LONGEST_WHY = 500;

    public ReleaseRequest {
        Problems problems = new Problems();
        problems.part("why", () -> requireWhy(why));
        problems.throwIfAny();
    }

    static String requireWhy(String why) {
        if (why.length() > LONGEST_WHY) {
            throw new RefusedException(
                    "", why.length() + " characters", "must have at most " + LONGEST_WHY + " characters");
        }
        return why;
    }
}
