package io.sluice.cli.demo;

import io.sluice.cli.demo.load.Visitors;
import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.release.Plan;
import io.sluice.core.release.ReleaseSpec;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The release that the demo asks for. */
final class DemoRelease {
    /** The customer who is on the new version from the first stage on. */
    static final String ALLOWLISTED = Visitors.customer(1);

    // One percent of a demo's customers sends few requests.
    private static final int MIN_SAMPLES = 30;
    private static final Duration MOST_FOR_STABLE = Duration.ofMillis(150);
    private static final Duration MAX_SILENCE = Duration.ofSeconds(10);

    private DemoRelease() {}

    static String id(DemoSettings settings) {
        return "demo-" + settings.startedAt();
    }

    /**
     * The release on a machine where the stable version has some P99. With so few samples one request above the limit
     * aborts, and the limit must hold on a machine that is busy with other things; so it is set from what stable needs
     * there, as one would in production. Within bounds: a version that is half a second slower must be found anywhere.
     */
    static ReleaseSpec of(DemoSettings settings, Duration stableP99) {
        Duration usual = stableP99.compareTo(MOST_FOR_STABLE) < 0 ? stableP99 : MOST_FOR_STABLE;
        Duration maxP99 =
                Duration.ofMillis(usual.plus(DemoSettings.MAX_SLOWDOWN).toMillis());
        Thresholds limits = new Thresholds(MIN_SAMPLES, DemoSettings.MAX_ERROR_RATE, maxP99, MAX_SILENCE);
        return new ReleaseSpec(
                id(settings),
                Lineup.VERSION,
                Lineup.RELEASED,
                Bucketing.of(BucketHash.FNV1A_MIXED, id(settings)),
                Set.of(ALLOWLISTED),
                List.of(),
                Plan.canary(settings.hold(), limits));
    }
}
