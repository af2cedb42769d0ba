package io.sluice.core.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.core.guard.Baseline;
import io.sluice.core.guard.Metric;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SharedAlphaTest {
    private static final Metric.Counters COUNTERS = new Metric.Counters("bad_{{lane}}", "all_{{lane}}");

    @Test
    void criticalCountersOfOtherSystemsHaveTheirShareOfAlpha() {
        List<Metric> metrics = List.of(
                new Metric("declined", true, COUNTERS),
                new Metric("shown", false, COUNTERS),
                new Metric("depth", true, new Metric.Limit("depth", 1)));

        assertThat(alpha(metrics)).isEqualTo(0.01 / (4 * (3 * 2 + 1)), within(1e-12));
        assertThat(alpha(List.of())).isEqualTo(0.01 / (4 * (3 * 2)), within(1e-12));
    }

    /** At 100 % nobody is left to compare with, so four of the five stages have all of it. */
    private static double alpha(List<Metric> metrics) {
        Plan plan = new Plan(
                SampleRelease.PLAN.stages(),
                SampleRelease.LIMITS,
                Baseline.DEFAULT,
                metrics,
                Policy.DEFAULT,
                Pace.TIME,
                0);
        ReleaseSpec sample = SampleRelease.spec("shared", "order", "coupon");
        ReleaseSpec spec = new ReleaseSpec(
                sample.id(), sample.version(), sample.services(), sample.bucketing(), Set.of(), List.of(), plan);
        return Release.draft(spec).on(Command.START, "").guard().alpha();
    }
}
