package io.sluice.core.channel;

import io.sluice.core.decision.Percent;
import io.sluice.core.guard.Baseline;
import io.sluice.core.guard.StageGuard;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.problem.Problems;
import io.sluice.core.release.Policy;
import java.time.Duration;
import java.util.Locale;

/**
 * How a rolling release is judged: by hard limits on what all instances of the new version serve. Nothing is compared with
 * the old version, since nobody places requests by chance here; see decision 0021.
 *
 * @param limits the hard limits
 * @param onBreach what a breach leads to
 * @param holdLimit how long beyond its time a batch may be on hold, 1 s..30 days
 * @param onHold what follows then
 */
public record BatchGuard(Thresholds limits, OnBreach onBreach, Duration holdLimit, Policy.OnHold onHold) {
    /** What a breach leads to. */
    public enum OnBreach {
        /** The batch at hand gets its old version back, and the release ends there. */
        ABORT,
        /** Nothing more is taken out; a human decides. */
        PAUSE;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** @throws io.sluice.core.problem.RefusedException with every problem */
    public BatchGuard {
        Problems problems = new Problems();
        Policy.requireHoldLimit(holdLimit, problems);
        problems.throwIfAny();
    }

    /** One whose breach aborts, and that pauses after half an hour on hold. */
    public BatchGuard(Thresholds limits) {
        this(limits, OnBreach.ABORT, Policy.DEFAULT.holdLimit(), Policy.DEFAULT.onHold());
    }

    StageGuard stage() {
        // All or nothing is the share at which nothing is compared.
        return new StageGuard(
                limits,
                limits.minSamples(),
                false,
                Baseline.OFF,
                Baseline.OFF.alpha().share(1),
                Percent.HUNDRED,
                false);
    }
}
