package io.sluice.server.audit;

import io.sluice.core.problem.Problems;

/** Why somebody does something, for the journal. */
public final class Reason {
    private Reason() {}

    /**
     * A reason ends in logs, headers and terminals, so nothing in it may act there.
     *
     * @throws io.sluice.core.problem.RefusedException when it is not one line
     */
    public static void requireOneLine(String why) {
        Problems problems = new Problems();
        boolean oneLine = why.chars().noneMatch(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029);
        problems.require(oneLine, "why", why, "must be one line without control characters");
        problems.throwIfAny();
    }
}
