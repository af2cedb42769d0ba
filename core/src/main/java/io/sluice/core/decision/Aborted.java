package io.sluice.core.decision;

import io.sluice.core.identity.Identity;
import io.sluice.core.problem.Problem;

/**
 * A split after its abort: stable for everybody, without exception.
 *
 * @param bucketing kept, so that a decision can still be explained
 * @param reason {@code abort:<why>}, as every decision carries it
 */
public record Aborted(Bucketing bucketing, String reason) implements Split {
    private static final String PREFIX = "abort:";
    private static final String NOT_GIVEN = "no reason given";

    /** Whatever the reason is, an abort is never refused: what would act in a terminal or a log is made visible. */
    public static Aborted of(Bucketing bucketing, String why) {
        return new Aborted(bucketing, PREFIX + (why.isEmpty() ? NOT_GIVEN : Problem.escaped(why)));
    }

    /** Why it was aborted. */
    public String why() {
        return reason.substring(PREFIX.length());
    }

    @Override
    public Decision decide(Identity who) {
        return new Decision(Lane.STABLE, bucket(who), reason);
    }

    @Override
    public Decision decide(Identity who, Percent share, String ruleReason) {
        return decide(who);
    }

    @Override
    public int bucket(Identity who) {
        return bucketing.bucket(who.key());
    }

    @Override
    public Percent percent() {
        return Percent.ZERO;
    }

    @Override
    public boolean isAborted() {
        return true;
    }

    @Override
    public Split abort(String why) {
        return this;
    }
}
