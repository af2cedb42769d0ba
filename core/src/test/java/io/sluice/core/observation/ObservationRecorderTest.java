package io.sluice.core.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.decision.Lane;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.SampleRule;
import io.sluice.core.tag.Assignment;
import io.sluice.core.tag.TrafficTag;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ObservationRecorderTest {
    private static final long FAST = Duration.ofMillis(10).toNanos();
    private static final long SLOW = Duration.ofMillis(400).toNanos();
    private static final TrafficTag ON_CANARY = new TrafficTag("42", "", List.of(new Assignment("r1", "v2")));
    private static final TrafficTag ON_STABLE = new TrafficTag("43", "", List.of());

    private final InMemoryRuleSource rules = new InMemoryRuleSource();
    private long revision;

    @Test
    void anEdgeCountsARequestWhereItsTagSaysItBelongs() {
        publish(SampleRule.atStep("r1", 1, "order"));
        ObservationRecorder edge = new ObservationRecorder(new Vantage.Edge("gateway"), rules);

        edge.begin(ON_CANARY).end(FAST, false);
        edge.begin(ON_CANARY).end(SLOW, true);
        edge.begin(ON_STABLE).end(FAST, false);

        Map<ObservationKey, LaneTally> drained = edge.drain();
        assertThat(drained).containsOnlyKeys(key(1, Lane.CANARY), key(1, Lane.STABLE));
        assertThat(drained.get(key(1, Lane.CANARY)).requests().count()).isEqualTo(2);
        assertThat(drained.get(key(1, Lane.CANARY)).requests().failed()).isEqualTo(1);
        assertThat(drained.get(key(1, Lane.CANARY)).requests().slow()).isEqualTo(1);
        assertThat(drained.get(key(1, Lane.STABLE)).requests().count()).isEqualTo(1);
    }

    @Test
    void anInstanceCountsARequestWhereItStandsItself() {
        publish(SampleRule.atStep("r1", 1, "order"), SampleRule.atStep("r2", 1, "coupon"));
        ObservationRecorder canary = new ObservationRecorder(new Vantage.Instance("order", "v2"), rules);
        ObservationRecorder stable = new ObservationRecorder(new Vantage.Instance("order", "stable"), rules);

        canary.begin(ON_STABLE).end(FAST, false);
        stable.begin(ON_CANARY).end(FAST, false);

        assertThat(canary.drain()).containsOnlyKeys(key(1, Lane.CANARY));
        assertThat(stable.drain()).containsOnlyKeys(key(1, Lane.STABLE));
    }

    @Test
    void anEdgeCountsRequestsOfAnAbortedReleaseAsStable() {
        publish(SampleRule.aborted("r1", "order"));
        ObservationRecorder edge = new ObservationRecorder(new Vantage.Edge("gateway"), rules);

        edge.begin(ON_CANARY).end(FAST, false);

        assertThat(edge.drain()).containsOnlyKeys(key(2, Lane.STABLE));
    }

    @Requirement("F28")
    @Test
    void aStragglerCountsUnderTheStepItBeganIn() {
        publish(SampleRule.atStep("r1", 1, "order"));
        ObservationRecorder recorder = new ObservationRecorder(new Vantage.Edge("gateway"), rules);
        ObservationSink.Exchange straggler = recorder.begin(ON_CANARY);
        publish(SampleRule.atStep("r1", 2, "order"));

        recorder.begin(ON_CANARY).end(FAST, false);
        straggler.end(SLOW, true);

        Map<ObservationKey, LaneTally> drained = recorder.drain();
        assertThat(drained.get(key(1, Lane.CANARY)).requests().failed()).isEqualTo(1);
        assertThat(drained.get(key(2, Lane.CANARY)).requests().failed()).isZero();
        assertThat(drained.get(key(2, Lane.CANARY)).requests().slow()).isZero();
    }

    @Requirement("F28")
    @Test
    void anotherReleasesChangeLeavesTheCountersAlone() {
        publish(SampleRule.atStep("r1", 1, "order"));
        ObservationRecorder recorder = new ObservationRecorder(new Vantage.Edge("gateway"), rules);
        ObservationSink.Exchange begun = recorder.begin(ON_CANARY);
        publish(SampleRule.atStep("r1", 1, "order"), SampleRule.atStep("r2", 1, "coupon"));

        recorder.begin(ON_CANARY).end(FAST, false);
        begun.end(FAST, false);

        assertThat(recorder.drain().get(key(1, Lane.CANARY)).requests().count()).isEqualTo(2);
    }

    @Test
    void countersOfTheLastEightRuleSetsAreKept() {
        publish(SampleRule.atStep("r1", 1, "order"));
        ObservationRecorder recorder = new ObservationRecorder(new Vantage.Edge("gateway"), rules);
        ObservationSink.Exchange straggler = recorder.begin(ON_CANARY);

        publishSteps(2, 8);
        straggler.end(FAST, false);
        Map<ObservationKey, LaneTally> whileKept = recorder.drain();
        publishSteps(9, 9);
        straggler.end(FAST, false);
        Map<ObservationKey, LaneTally> afterwards = recorder.drain();

        assertThat(whileKept).containsOnlyKeys(key(1, Lane.CANARY));
        assertThat(afterwards).isEmpty();
    }

    @Test
    void whatWasCountedBeforeManyRuleSetsIsStillDrained() {
        publish(SampleRule.atStep("r1", 1, "order"));
        ObservationRecorder recorder = new ObservationRecorder(new Vantage.Edge("gateway"), rules);
        recorder.begin(ON_CANARY).end(FAST, false);

        publishSteps(2, 100);

        assertThat(recorder.drain()).containsOnlyKeys(key(1, Lane.CANARY));
    }

    @Test
    void withoutRulesThereIsNothingToCount() {
        ObservationRecorder recorder = new ObservationRecorder(new Vantage.Edge("gateway"), rules);

        recorder.begin(ON_CANARY).end(FAST, false);

        assertThat(recorder.drain()).isEmpty();
    }

    @Test
    void aClosedRecorderFollowsNoRules() {
        ObservationRecorder recorder = new ObservationRecorder(new Vantage.Edge("gateway"), rules);
        recorder.close();
        publish(SampleRule.atStep("r1", 1, "order"));

        recorder.begin(ON_CANARY).end(FAST, false);

        assertThat(recorder.drain()).isEmpty();
    }

    @Test
    void drainsLoseNothingWhileOthersRecord() throws InterruptedException {
        publish(SampleRule.atStep("r1", 1, "order"));
        ObservationRecorder recorder = new ObservationRecorder(new Vantage.Edge("gateway"), rules);
        int each = 200_000;
        Thread one = new Thread(() -> record(recorder, each));
        Thread other = new Thread(() -> record(recorder, each));

        one.start();
        other.start();
        Tally drained = Tally.empty();
        while (one.isAlive() || other.isAlive()) {
            drained = drained.merge(canary(recorder));
        }
        drained = drained.merge(canary(recorder));

        assertThat(drained.count()).isEqualTo(2 * each);
        assertThat(drained.failed()).isEqualTo(each);
        assertThat(drained.slow()).isEqualTo(each);
        assertThat(drained.latencies().values().stream().mapToLong(n -> n).sum())
                .isEqualTo(2 * each);
    }

    @Test
    void aSinkMayNoteNothing() {
        ObservationSink.discarding().begin(ON_CANARY).end(FAST, true);
    }

    private static void record(ObservationRecorder recorder, int requests) {
        for (int i = 0; i < requests; i++) {
            recorder.begin(ON_CANARY).end(i % 2 == 0 ? FAST : SLOW, i % 2 == 0);
        }
    }

    private static Tally canary(ObservationRecorder recorder) {
        return recorder.drain()
                .getOrDefault(key(1, Lane.CANARY), LaneTally.empty())
                .requests();
    }

    private void publishSteps(long from, long to) {
        for (long step = from; step <= to; step++) {
            publish(SampleRule.atStep("r1", step, "order"));
        }
    }

    private void publish(ReleaseRule... releases) {
        rules.offer(RuleSet.of(0, ++revision, List.of(releases)));
    }

    private static ObservationKey key(long step, Lane lane) {
        return new ObservationKey("r1", step, lane);
    }
}
