package io.sluice.core.channel;

import io.sluice.core.decision.Percent;
import io.sluice.core.guard.Baseline;
import io.sluice.core.release.Pace;
import io.sluice.core.release.Plan;
import io.sluice.core.release.Policy;
import io.sluice.core.release.SampleRelease;
import io.sluice.core.release.Stage;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Releases of the channel trade, of order and user, to v2: 10, 50 and 100 %, then green 25 and 50 %. */
final class SampleChannel {
    static final List<String> SERVICES = List.of("order", "user");
    static final Waits WAITS =
            new Waits(Duration.ofMillis(2_500), Duration.ofSeconds(2), Duration.ofSeconds(3), Duration.ofSeconds(20));
    static final List<Stage> BLUE = stages(10, 50, 100);
    static final List<Stage> GREEN = stages(25, 50);

    private SampleChannel() {}

    static ChannelReleaseSpec spec() {
        return spec(Policy.DEFAULT, Check.MANUAL, Map.of());
    }

    static ChannelReleaseSpec spec(Policy policy, Check check, Map<String, Integer> extra) {
        Plan plan = new Plan(BLUE, SampleRelease.LIMITS, Baseline.DEFAULT, List.of(), policy, Pace.TIME, 0);
        return of(new Strategy.BlueGreen(plan, GREEN, extra), check);
    }

    static ChannelReleaseSpec rolling(int batches, Check check) {
        return of(new Strategy.Rolling(batches, Duration.ofSeconds(2)), check);
    }

    static ChannelReleaseSpec rolling(int batches, BatchGuard guard) {
        return of(new Strategy.Rolling(batches, Duration.ofSeconds(2), guard), Check.MANUAL);
    }

    private static ChannelReleaseSpec of(Strategy strategy, Check check) {
        return new ChannelReleaseSpec("r1", "trade", SERVICES, "v2", strategy, "works", check, WAITS);
    }

    private static List<Stage> stages(int... percent) {
        return Arrays.stream(percent)
                .mapToObj(each -> new Stage(Percent.of(each), Duration.ofSeconds(2)))
                .toList();
    }
}
