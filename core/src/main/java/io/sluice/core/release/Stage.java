package io.sluice.core.release;

import io.sluice.core.decision.Percent;
import io.sluice.core.problem.DurationWord;
import io.sluice.core.problem.Problems;
import java.time.Duration;

/**
 * One step of a plan.
 *
 * @param percent the share of the customers that canary gets
 * @param hold how long it must be watched, and found healthy at the end, before the next stage; 0..30 days
 * @param samples how many canary requests each service must have had, 0..1000000000; the guard's own minimum holds too
 */
public record Stage(Percent percent, Duration hold, long samples) {
    private static final Duration LONGEST = Duration.ofDays(30);

    /** A stage that needs no more samples than the guard does. */
    public Stage(Percent percent, Duration hold) {
        this(percent, hold, 0);
    }

    public Stage {
        Duration held = hold;
        Problems problems = new Problems();
        problems.part("", () -> requireHold(held));
        problems.require(samples >= 0 && samples <= 1_000_000_000, "samples", samples, "must be within 0..1000000000");
        problems.throwIfAny();
    }

    /**
     * A time that a stage may be held.
     *
     * @return the same
     * @throws io.sluice.core.problem.RefusedException for any other
     */
    public static Duration requireHold(Duration hold) {
        Problems problems = new Problems();
        problems.require(
                !hold.isNegative() && hold.compareTo(LONGEST) <= 0,
                "hold",
                DurationWord.of(hold),
                "must be within 0s..30d");
        problems.throwIfAny();
        return hold;
    }

    /** The same, held for another time. */
    Stage heldFor(Duration other) {
        return new Stage(percent, other, samples);
    }
}
