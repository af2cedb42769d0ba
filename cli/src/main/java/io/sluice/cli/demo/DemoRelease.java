package io.sluice.cli.demo;

import io.sluice.cli.demo.load.Visitors;
import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.guard.Alpha;
import io.sluice.core.guard.Baseline;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.release.Pace;
import io.sluice.core.release.Plan;
import io.sluice.core.release.Policy;
import io.sluice.core.release.ReleaseSpec;
import io.sluice.core.release.Stage;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The release that the demo asks for. */
final class DemoRelease {
    /** The customer who is on the new version from the first stage on. */
    static final String ALLOWLISTED = Visitors.customer(1);

    // One percent of a demo's customers sends few requests.
    private static final int MIN_SAMPLES = 30;
    private static final Duration MAX_SILENCE = Duration.ofSeconds(10);

    private DemoRelease() {}

    /** Its id. @param round counts the releases of one demo, from 1 */
    static String id(DemoSettings settings, int round) {
        return "demo-" + settings.startedAt() + (settings.rounds() > 1 ? "-" + round : "");
    }

    /**
     * The release. Its hard limit on latency is far away, since a machine that stands still for a moment makes both
     * versions slow; whether the new one has more slow answers is found by comparing it with the stable one.
     *
     * @param objective from where on an answer is slow
     */
    static ReleaseSpec of(DemoSettings settings, int round, Duration objective) {
        Thresholds limits = new Thresholds(MIN_SAMPLES, DemoSettings.MAX_ERROR_RATE, DemoSettings.MAX_P99, MAX_SILENCE);
        List<Stage> stages = Plan.canary(settings.hold(), limits).stages();
        Baseline baseline = new Baseline(Alpha.DEFAULT, Baseline.DEFAULT.critical(), objective);
        return new ReleaseSpec(
                id(settings, round),
                Lineup.VERSION,
                Lineup.RELEASED,
                Bucketing.of(BucketHash.FNV1A_MIXED, id(settings, round)),
                Set.of(ALLOWLISTED),
                List.of(),
                new Plan(stages, limits, baseline, List.of(), Policy.DEFAULT, Pace.TIME, 0));
    }
}
