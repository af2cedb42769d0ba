package io.sluice.core.release;

import io.sluice.core.problem.DurationWord;
import io.sluice.core.problem.Problems;
import java.time.Duration;
import java.util.Locale;

/**
 * What a verdict leads to.
 *
 * @param onBreach what a breach leads to
 * @param mostStepBacks after so many steps back the next breach aborts, 1..10; of no meaning where a breach aborts
 * @param holdLimit how long beyond its hold time a stage may be on hold, 1 s..30 days
 * @param onHold what follows then
 */
public record Policy(OnBreach onBreach, int mostStepBacks, Duration holdLimit, OnHold onHold) {
    private static final Duration LONGEST = Duration.ofDays(30);

    /** A breach aborts; half an hour on hold pauses. */
    public static final Policy DEFAULT = new Policy(OnBreach.ABORT, 2, Duration.ofMinutes(30), OnHold.PAUSE);

    public Policy {
        Problems problems = new Problems();
        problems.require(
                mostStepBacks >= 1 && mostStepBacks <= 10, "mostStepBacks", mostStepBacks, "must be within 1..10");
        requireHoldLimit(holdLimit, problems);
        problems.throwIfAny();
    }

    /** Notes what is wrong with a limit on holding. */
    public static void requireHoldLimit(Duration holdLimit, Problems problems) {
        problems.require(
                holdLimit.compareTo(Duration.ofSeconds(1)) >= 0 && holdLimit.compareTo(LONGEST) <= 0,
                "holdLimit",
                DurationWord.of(holdLimit),
                "must be within 1s..30d");
    }

    /** What a breach leads to. */
    public enum OnBreach {
        ABORT("abort"),
        /** Back to the stage before, which was safe, and paused there; on the first stage it aborts. */
        STEP_BACK("step-back");

        private final String label;

        OnBreach(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    /** What too long a hold leads to. */
    public enum OnHold {
        /** A human is told, and has to resume it. */
        PAUSE,
        ABORT,
        /** It waits for as long as it takes. */
        WAIT;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
