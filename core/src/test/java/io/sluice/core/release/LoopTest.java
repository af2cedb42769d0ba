package io.sluice.core.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Lane;
import io.sluice.core.decision.Percent;
import io.sluice.core.guard.ErrorRate;
import io.sluice.core.guard.Seen;
import io.sluice.core.guard.StageWatch;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.identity.Identity;
import io.sluice.core.identity.RequestView;
import io.sluice.core.observation.ObservationRecorder;
import io.sluice.core.observation.ObservationSink;
import io.sluice.core.observation.Vantage;
import io.sluice.core.propagation.Scope;
import io.sluice.core.propagation.TagContext;
import io.sluice.core.routing.InstanceChoice;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TrafficTag;
import io.sluice.testing.Requirement;
import io.sluice.testing.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The whole loop in one process: from a request to the rule that decides the next one. */
class LoopTest {
    private static final int CUSTOMERS = 1_000;
    private static final List<String> SERVICES = List.of("order", "user");

    private final InMemoryReleaseStore store = new InMemoryReleaseStore();
    private final InMemoryRuleSource rules = new InMemoryRuleSource();
    private final PublishedWeights weights = PublishedWeights.of("r1", rules);
    private final SettableClock clock = SettableClock.create();
    private final Instant start = clock.instant();
    private final Reports reports = new Reports();
    private final Orchestrator orchestrator = new Orchestrator(
            store,
            reports,
            MetricSource.none(),
            new StatePublisher(store, rules),
            clock,
            () -> Duration.between(start, clock.instant()).toNanos());

    private final ObservationRecorder edge = new ObservationRecorder(new Vantage.Edge("gateway"), rules);
    private final List<Instance> instances = SERVICES.stream()
            .flatMap(service -> List.of("", "v2").stream().map(version -> new Instance(service, version)))
            .toList();
    private final Map<String, List<Lane>> lanes = new LinkedHashMap<>();
    private int failOneIn = Integer.MAX_VALUE;
    private final Random faults = new Random(20261130);
    private double canaryFaults;
    private double stableFaults;
    private int canaryRequests;

    @Requirement({"A6", "C1", "E1", "E5", "L1"})
    @Test
    void aHealthyReleaseTakesOverCustomerByCustomer() {
        begin();

        second(60);

        assertThat(phase()).isEqualTo(new Phase.Completed());
        assertThat(weights.seen()).containsExactly("1%", "5%", "25%", "50%", "100%");
        assertThat(lanes)
                .hasSize(CUSTOMERS)
                .allSatisfy((customer, seen) ->
                        assertThat(seen).as(customer).isIn(List.of(Lane.CANARY), List.of(Lane.STABLE, Lane.CANARY)));
        assertThat(store.journal("r1"))
                .extracting(JournalEntry::outcome)
                .containsSubsequence("ramping 5%", "ramping 25%", "ramping 50%", "ramping 100%", "completed 100%");
    }

    @Requirement({"A1", "C1"})
    @Test
    void eachStageServesExactlyTheCustomersOfItsBuckets() {
        begin();
        Bucketing bucketing = SampleRelease.spec("r1", "order").bucketing();
        long below = IntStream.range(0, CUSTOMERS)
                .filter(i -> bucketing.bucket("c-" + i) < 500)
                .count();
        second(13);
        assertThat(weights.seen()).containsExactly("1%", "5%");
        canaryRequests = 0;

        everyCustomerAsksOnce();

        assertThat(canaryRequests).isEqualTo((int) below * SERVICES.size());
    }

    @Requirement({"A8", "B3", "C1", "F30"})
    @Test
    void sixPercentErrorsTakeEverybodyBack() {
        failOneIn = 16;
        begin();
        TrafficTag underWay = rules.current().dye(RequestView.empty(), Identity.ofCustomer("vip-1"));
        assertThat(wanted(underWay)).isEqualTo("v2");

        second(60);

        assertThat(phase()).isInstanceOf(Phase.Aborted.class);
        assertThat(weights.seen()).last().isEqualTo("0%");
        JournalEntry abort = store.journal("r1").get(store.journal("r1").size() - 1);
        assertThat(abort.actor()).isEqualTo("guard");
        assertThat(abort.why()).startsWith("order: error_rate=0.0").endsWith(">0.0200");
        assertThat(abort.verdict().samples()).isGreaterThanOrEqualTo(50);
        assertThat(abort.verdict().errorRate()).isGreaterThan(0.02);
        assertThat(wanted(underWay)).isEqualTo("stable");
        assertThat(rules.current()
                        .dye(RequestView.empty(), Identity.ofCustomer("vip-1"))
                        .assignments())
                .isEmpty();

        canaryRequests = 0;
        second(5);
        assertThat(canaryRequests).isZero();
    }

    @Requirement("L3")
    @Test
    void aCanaryThatNobodyVisitsWaits() {
        orchestrator.create(SampleRelease.spec("r1", "order", "user"), "alice", "");
        orchestrator.command("r1", Command.START, "alice", "", Expected.anything());

        for (int i = 0; i < 60; i++) {
            clock.advance(Duration.ofSeconds(1));
            orchestrator.look();
        }

        assertThat(weights.seen()).containsExactly("1%");
        assertThat(orchestrator.verdict("r1").describe()).isEqualTo("order: no_data");
    }

    @Requirement({"A5", "C2"})
    @Test
    void fourPhasesBeginWithTheAllowlistAlone() {
        Duration ten = Duration.ofSeconds(10);
        List<Stage> stages = new PlanTemplate.FourPhases(ten, ten.multipliedBy(2), ten, ten).stages();
        Set<String> inside = IntStream.range(0, 10).mapToObj(i -> "c-" + i).collect(Collectors.toSet());
        ReleaseSpec usual = SampleRelease.spec("r1", "order", "user");
        begin(new ReleaseSpec(
                "r1",
                usual.version(),
                usual.services(),
                usual.bucketing(),
                inside,
                List.of(),
                new Plan(stages, SampleRelease.LIMITS)));

        second(9);

        assertThat(weights.seen()).containsExactly("0%");
        assertThat(canaryRequests).isEqualTo(9 * inside.size() * SERVICES.size());
        assertThat(lanes)
                .allSatisfy((customer, seen) -> assertThat(seen)
                        .as(customer)
                        .containsExactly(inside.contains(customer) ? Lane.CANARY : Lane.STABLE));

        second(70);

        assertThat(weights.seen()).containsExactly("0%", "1%", "5%", "10%", "30%", "50%", "100%");
        assertThat(phase()).isEqualTo(new Phase.Completed());
    }

    @Requirement("L3")
    @Test
    void anAllowlistThatNobodyOnItUsesIsNoReasonToGoOn() {
        List<Stage> stages =
                List.of(new Stage(Percent.ZERO, SampleRelease.HOLD), new Stage(Percent.HUNDRED, SampleRelease.HOLD));
        begin(SampleRelease.spec(new Plan(stages, SampleRelease.LIMITS), "r1", "order", "user"));

        second(30);

        assertThat(weights.seen()).containsExactly("0%");
        assertThat(orchestrator.verdict("r1").describe()).isEqualTo("order: no_data");
    }

    /** A dependency that both lanes share is as bad for the one as for the other, which is no fault of canary. */
    @Requirement("B6")
    @Test
    void aSharedFaultUnderTheHardLimitTakesNothingBack() {
        begin(SampleRelease.spec(withHighLimit(), "r1", "order", "user"));
        second(15);
        canaryFaults = 0.05;
        stableFaults = 0.05;

        second(60);

        assertThat(phase()).isEqualTo(new Phase.Completed());
        assertThat(weights.seen()).containsExactly("1%", "5%", "25%", "50%", "100%");
    }

    @Requirement("B6")
    @Test
    void aFaultOfCanaryAloneUnderTheHardLimitIsFoundByComparison() {
        begin(SampleRelease.spec(withHighLimit(), "r1", "order", "user"));
        second(21);
        stableFaults = 0.005;
        canaryFaults = 0.2;

        second(60);

        assertThat(phase()).isInstanceOf(Phase.Aborted.class);
        assertThat(weights.seen()).containsExactly("1%", "5%", "25%", "0%");
        assertThat(store.journal("r1")).last().satisfies(entry -> {
            assertThat(entry.action()).isEqualTo("abort");
            assertThat(entry.why()).contains("errors x", " of stable");
            assertThat(entry.verdict().findings()).isNotEmpty();
        });
    }

    private static Plan withHighLimit() {
        Thresholds limits =
                new Thresholds(50, ErrorRate.parse("90%"), SampleRelease.LIMITS.maxP99(), Thresholds.DEFAULT_SILENCE);
        return new Plan(SampleRelease.PLAN.stages(), limits);
    }

    private void begin() {
        begin(SampleRelease.spec("r1", "order", "user"));
    }

    private void begin(ReleaseSpec spec) {
        orchestrator.create(spec, "alice", "");
        orchestrator.command("r1", Command.START, "alice", "", Expected.anything());
        orchestrator.look();
    }

    private void second(int times) {
        for (int i = 0; i < times; i++) {
            everyCustomerAsksOnce();
            clock.advance(Duration.ofSeconds(1));
            instances.forEach(instance -> reports.take(instance.recorder));
            reports.take(edge);
            orchestrator.look();
        }
    }

    private void everyCustomerAsksOnce() {
        for (int i = 0; i < CUSTOMERS; i++) {
            ask("c-" + i);
        }
    }

    /** Through the gateway to both services, the tag on the wire between them. */
    private void ask(String customer) {
        TrafficTag tag = rules.current().dye(RequestView.empty(), Identity.ofCustomer(customer));
        ObservationSink.Exchange atEdge = edge.begin(tag);
        String header = TagCodec.format(tag);
        boolean failed = false;
        for (String service : SERVICES) {
            try (Scope scope = TagContext.with(TagCodec.parse(header).tag())) {
                failed |= choose(service).serve(customer);
            }
        }
        atEdge.end(Duration.ofMillis(25).toNanos(), failed);
        Lane lane = tag.assignments().isEmpty() ? Lane.STABLE : Lane.CANARY;
        List<Lane> seen = lanes.computeIfAbsent(customer, name -> new ArrayList<>());
        if (seen.isEmpty() || seen.get(seen.size() - 1) != lane) {
            seen.add(lane);
        }
    }

    private Instance choose(String service) {
        List<Instance> all = instances.stream()
                .filter(instance -> instance.service.equals(service))
                .toList();
        String wanted = rules.current().wantedVersion(TagContext.current(), service);
        return InstanceChoice.of(wanted, all, instance -> instance.version)
                .instances()
                .get(0);
    }

    private String wanted(TrafficTag tag) {
        return rules.current().wantedVersion(tag, "order");
    }

    private Phase phase() {
        return store.find("r1").orElseThrow().phase();
    }

    /** One instance of a service. The canary's fail one in so many requests, each counted for itself. */
    private final class Instance {
        private final String service;
        private final String version;
        private final ObservationRecorder recorder;
        private int served;

        private Instance(String service, String version) {
            this.service = service;
            this.version = version;
            this.recorder = new ObservationRecorder(new Vantage.Instance(service, version), rules);
        }

        /** Whether it failed. */
        private boolean serve(String customer) {
            boolean canary = version.equals("v2");
            canaryRequests += canary ? 1 : 0;
            boolean failed =
                    canary && ++served % failOneIn == 0 || faults.nextDouble() < (canary ? canaryFaults : stableFaults);
            recorder.begin(TagContext.current()).end(Duration.ofMillis(12).toNanos(), failed);
            return failed;
        }
    }

    /** What the recorders reported, followed by release, step and reporter. */
    private final class Reports implements Evidence {
        private final Map<String, Map<String, StageWatch>> watches = new HashMap<>();

        private void take(ObservationRecorder recorder) {
            String service = recorder.vantage().service();
            String reporter = SERVICES.contains(service) ? service : EDGES;
            recorder.drain()
                    .forEach((key, tally) -> watches.computeIfAbsent(key.release() + key.step(), any -> new HashMap<>())
                            .computeIfAbsent(
                                    reporter, any -> StageWatch.start(release().watching(), now()))
                            .add(service, key.lane(), tally, now()));
        }

        @Override
        public Map<String, Seen> of(Subject subject) {
            Map<String, Seen> seen = new HashMap<>();
            watches.getOrDefault(subject.release() + subject.step(), Map.of())
                    .forEach((reporter, watch) -> seen.put(reporter, watch.look(now())));
            return seen;
        }

        private long now() {
            return Duration.between(start, clock.instant()).toNanos();
        }

        private Release release() {
            return store.find("r1").orElseThrow();
        }
    }
}
