package io.sluice.server.metrics;

import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.guard.Baseline;
import io.sluice.core.guard.ErrorRate;
import io.sluice.core.guard.Metric;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.release.Command;
import io.sluice.core.release.Pace;
import io.sluice.core.release.Plan;
import io.sluice.core.release.Policy;
import io.sluice.core.release.Release;
import io.sluice.core.release.ReleaseSpec;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Started releases, on 1 %, with metrics of another system. */
final class SampleMetrics {
    private static final Thresholds LIMITS =
            new Thresholds(1, ErrorRate.parse("2%"), Duration.ofMillis(300), Duration.ofSeconds(30));

    private SampleMetrics() {}

    static Metric limit(String name, String query, double max) {
        return new Metric(name, true, new Metric.Limit(query, max));
    }

    static Metric counters(String name, String bad, String total) {
        return new Metric(name, true, new Metric.Counters(bad, total));
    }

    static Release started(String id, Metric... metrics) {
        Plan canary = Plan.canary(Duration.ofMinutes(10), LIMITS);
        Plan plan = new Plan(canary.stages(), LIMITS, Baseline.DEFAULT, List.of(metrics), Policy.DEFAULT, Pace.TIME, 0);
        ReleaseSpec spec = new ReleaseSpec(
                id,
                "v2.1",
                List.of("coupon", "order.api"),
                Bucketing.of(BucketHash.FNV1A_MIXED, id),
                Set.of(),
                List.of(),
                plan);
        return Release.draft(spec).on(Command.START, "");
    }
}
