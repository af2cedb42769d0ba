package io.sluice.core.observation;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.sluice.core.decision.Lane;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.Renewal;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.SampleRule;
import io.sluice.core.tag.Assignment;
import io.sluice.core.tag.TrafficTag;
import io.sluice.testing.Requirement;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who was there, what happened to them, and who is still waiting. */
@Timeout(60)
class RecordedCustomersTest {
    private static final long FAST = Duration.ofMillis(10).toNanos();
    private static final long SLOW = Duration.ofMillis(400).toNanos();

    private final InMemoryRuleSource rules = new InMemoryRuleSource();
    private final AtomicLong nanos = new AtomicLong(-5);
    private final ObservationRecorder recorder =
            new ObservationRecorder(new Vantage.Edge("gateway"), rules, nanos::get);
    private long revision;

    RecordedCustomersTest() {
        publish(rule(1));
    }

    @Requirement("B6")
    @Test
    void aCustomerCountsOnceHoweverManyRequestsItMakes() {
        for (int i = 0; i < 50; i++) {
            recorder.begin(canary("42")).end(FAST, true);
            recorder.begin(canary("43")).end(SLOW, false);
        }

        LaneTally tally = drain(Lane.CANARY);

        assertThat(tally.requests().count()).isEqualTo(100);
        assertThat(tally.requests().failed()).isEqualTo(50);
        assertThat(tally.customers().seen().estimate()).isEqualTo(2);
        assertThat(tally.customers().failed().stream()).containsExactly(CustomerHash.of("42"));
        assertThat(tally.customers().slow().stream()).containsExactly(CustomerHash.of("43"));
        assertThat(tally.customers().anonymous()).isZero();
    }

    @Requirement("B6")
    @Test
    void whoIsOnTheAllowlistWasNotPlacedByChance() {
        recorder.begin(canary("vip-1")).end(SLOW, true);

        LaneTally tally = drain(Lane.CANARY);

        assertThat(tally.requests().failed()).isEqualTo(1);
        assertThat(tally.customers()).isEqualTo(CustomerTally.empty());
    }

    @Requirement("B6")
    @Test
    void atAServiceARequestWithoutACustomerMayBeOneThatNoEdgeHasPlaced() {
        ObservationRecorder service =
                new ObservationRecorder(new Vantage.Instance("order", "stable"), rules, nanos::get);
        service.begin(TrafficTag.empty()).end(FAST, false);
        service.begin(stable("43")).end(SLOW, true);

        LaneTally tally = service.drain().get(new ObservationKey("r1", 1, Lane.STABLE));

        assertThat(tally.requests().count()).isEqualTo(2);
        assertThat(tally.customers().anonymous()).isZero();
        assertThat(tally.customers().units()).isEqualTo(1);
        assertThat(tally.customers().failed().size()).isEqualTo(1);
    }

    @Requirement("C3")
    @Test
    void inARollingReleaseInstancesCountByTheirVersionAndEdgesNotAtAll() {
        Renewal renewal = new Renewal("r2", "v2", 4, Duration.ofMillis(300), Duration.ofMillis(300));
        Channel channel = new Channel("trade", List.of("order"), null, Set.of(), renewal);
        rules.offer(RuleSet.of(0, 9, List.of(), List.of(channel)));
        ObservationRecorder renewed = new ObservationRecorder(new Vantage.Instance("order", "v2"), rules, nanos::get);
        ObservationRecorder old = new ObservationRecorder(new Vantage.Instance("order", "v1"), rules, nanos::get);

        for (ObservationRecorder each : List.of(renewed, old, recorder)) {
            each.begin(TrafficTag.empty()).end(FAST, false);
            each.begin(stable("43")).end(SLOW, true);
        }

        LaneTally canary = renewed.drain().get(new ObservationKey("r2", 4, Lane.CANARY));
        assertThat(canary.requests().count()).isEqualTo(2);
        assertThat(canary.requests().failed()).isEqualTo(1);
        assertThat(canary.customers()).isEqualTo(CustomerTally.empty());
        assertThat(old.drain()).containsOnlyKeys(new ObservationKey("r2", 4, Lane.STABLE));
        assertThat(recorder.drain()).isEmpty();
    }

    @Requirement("B6")
    @Test
    void aRequestWithoutACustomerCountsForItself() {
        recorder.begin(stable("")).end(FAST, false);
        recorder.begin(stable("")).end(FAST, true);
        recorder.begin(stable("")).end(SLOW, false);
        recorder.begin(stable("")).end(SLOW, true);

        assertThat(drain(Lane.STABLE).customers())
                .isEqualTo(new CustomerTally(
                        CustomerSketch.empty(), CustomerSample.empty(), CustomerSample.empty(), 4, 2, 2));
    }

    @Requirement("F28")
    @Test
    void aStragglersCustomerCountsUnderTheStepItBeganIn() {
        ObservationSink.Exchange straggler = recorder.begin(canary("42"));
        publish(rule(2));

        straggler.end(SLOW, true);

        Map<ObservationKey, LaneTally> drained = recorder.drain();
        assertThat(drained).containsOnlyKeys(key(1, Lane.CANARY));
        assertThat(drained.get(key(1, Lane.CANARY)).customers().failed().size()).isEqualTo(1);
    }

    @Test
    void aRequestThatIsEndedTwiceCountsOnce() {
        ObservationSink.Exchange exchange = recorder.begin(canary("42"));
        exchange.end(FAST, false);
        exchange.end(SLOW, true);

        LaneTally tally = drain(Lane.CANARY);
        seconds(100);

        assertThat(tally.requests().count()).isEqualTo(1);
        assertThat(tally.customers().failed().isEmpty()).isTrue();
        assertThat(recorder.drain()).isEmpty();
    }

    @Requirement("B7")
    @Test
    void aRequestThatDoesNotEndIsOverdueUntilItDoes() {
        ObservationSink.Exchange stuck = recorder.begin(canary("42"));
        recorder.begin(stable("43"));

        nanos.addAndGet(Duration.ofMillis(1_299).toNanos());
        Map<ObservationKey, LaneTally> early = recorder.drain();
        nanos.addAndGet(Duration.ofMillis(1).toNanos());
        LaneTally overdue = drain(Lane.CANARY);
        seconds(10_000);
        LaneTally stillThere = drain(Lane.CANARY);
        stuck.end(SLOW, true);
        LaneTally ended = drain(Lane.CANARY);

        assertThat(early).isEmpty();
        assertThat(overdue).isEqualTo(new LaneTally(Tally.empty(), CustomerTally.empty(), 1));
        assertThat(stillThere.overdue()).isEqualTo(1);
        assertThat(ended.overdue()).isZero();
        assertThat(ended.requests().slow()).isEqualTo(1);
        assertThat(drain(Lane.STABLE).overdue()).isEqualTo(1);
    }

    @Requirement("B7")
    @Test
    void aRequestThatIsSlowAlreadyIsNotOverdueBeforeTheLimit() {
        ReleaseRule rule = rule(1);
        publish(new ReleaseRule(
                rule.id(),
                rule.version(),
                rule.services(),
                rule.split(),
                rule.rules(),
                1,
                Duration.ofMillis(5),
                Duration.ofSeconds(10)));
        recorder.begin(canary("42"));
        recorder.begin(canary("43")).end(Duration.ofMillis(6).toNanos(), false);

        seconds(9);
        LaneTally ended = drain(Lane.CANARY);
        seconds(2);

        assertThat(ended.requests().slow()).isEqualTo(1);
        assertThat(ended.overdue()).isZero();
        assertThat(drain(Lane.CANARY).overdue()).isEqualTo(1);
    }

    @Requirement("B7")
    @Test
    void anOverdueRequestIsOneHoweverManyRuleSetsCameMeanwhile() {
        ObservationSink.Exchange stuck = recorder.begin(canary("42"));
        for (int i = 0; i < 5; i++) {
            publish(rule(1), SampleRule.atStep("other-" + i, 1, "user"));
        }
        seconds(5);

        LaneTally same = drain(Lane.CANARY);
        publish(rule(2));
        LaneTally laterStep = drain(Lane.CANARY);
        stuck.end(SLOW, true);

        assertThat(same.overdue()).isEqualTo(1);
        assertThat(laterStep.overdue()).isEqualTo(1);
        assertThat(drain(Lane.CANARY).overdue()).isZero();
    }

    @Test
    void whatTooManyRuleSetsLeaveBehindIsNotOverdueForEver() {
        recorder.begin(canary("42"));
        seconds(100);
        recorder.begin(canary("43"));
        seconds(100);
        for (int step = 2; step <= 20; step++) {
            publish(rule(step));
        }

        assertThat(recorder.drain()).isEmpty();
    }

    @Test
    void aClockThatRunsBackStandsStill() {
        seconds(1_000);
        recorder.begin(canary("42"));
        // To where the ring has the same slot.
        seconds(-14 * 64);
        ObservationSink.Exchange inThePast = recorder.begin(canary("43"));

        Map<ObservationKey, LaneTally> back = recorder.drain();
        seconds(14 * 64 + 2);
        LaneTally forward = drain(Lane.CANARY);
        inThePast.end(-FAST, false);
        LaneTally ended = drain(Lane.CANARY);

        assertThat(back).isEmpty();
        assertThat(forward.overdue()).isEqualTo(2);
        assertThat(ended.overdue()).isEqualTo(1);
        assertThat(ended.requests()).isEqualTo(SampleTally.of(1, 0, Duration.ZERO, Duration.ofMillis(300)));
    }

    @Test
    void negativeLatencyCountsAsZero() {
        recorder.begin(canary("42")).end(Long.MIN_VALUE, false);

        LaneTally tally = drain(Lane.CANARY);

        assertThat(tally.requests()).isEqualTo(SampleTally.of(1, 0, Duration.ZERO, Duration.ofMillis(300)));
        assertThat(tally.customers().slow().isEmpty()).isTrue();
    }

    @Test
    void aRequestAllocatesNothingButItsExchange() {
        TrafficTag[] tags = IntStream.range(0, 1_000)
                .mapToObj(i -> i % 10 == 0 ? stable("") : canary("c-" + i))
                .toArray(TrafficTag[]::new);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int rounds = 200;
        requests(tags, rounds);

        long before = threads.getCurrentThreadAllocatedBytes();
        requests(tags, rounds);
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(bytes / (double) (rounds * tags.length)).isLessThanOrEqualTo(24.5);
    }

    /** Four threads, and each customer's every request fails once and is slow once, in another drain perhaps. */
    @Requirement("B5")
    @Test
    void drainsLoseNobodyAndDoubleNothingWhileFourThreadsRecord() throws InterruptedException {
        int customers = 120;
        int rounds = 2_000;
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String prefix = "t" + i + "-";
            threads.add(new Thread(() -> recordAll(prefix, customers, rounds)));
        }

        threads.forEach(Thread::start);
        List<LaneTally> drains = new ArrayList<>();
        while (threads.stream().anyMatch(Thread::isAlive)) {
            drains.add(drain(Lane.CANARY));
        }
        drains.add(drain(Lane.CANARY));

        LaneTally all = drains.stream().reduce(LaneTally.empty(), (one, other) -> one.merge(other, 1_000));
        long requests = 4L * customers * rounds;
        assertThat(all.requests().count()).isEqualTo(2 * requests);
        assertThat(all.requests().failed()).isEqualTo(requests / 2);
        assertThat(all.customers().anonymous()).isEqualTo(requests);
        assertThat(all.customers().anonymousFailed()).isZero();
        assertThat(all.customers().anonymousSlow()).isEqualTo(requests);
        assertThat(all.customers().seen())
                .isEqualTo(SampleCustomers.sketch(expected(customers).stream().mapToLong(hash -> hash)));
        assertThat(drains)
                .allSatisfy(each -> assertThat(expected(customers))
                        .containsAll(each.customers().failed().stream().boxed().toList()));
        assertThat(all.customers().failed().stream().boxed())
                .containsAll(inLevel(customers, all.customers().failed()));
        assertThat(all.customers().slow().isEmpty()).isTrue();
        assertThat(neverSeenFrom(drains)).isEmpty();
    }

    /** Customers who are told of as failed after the last time they are told of as seen. */
    private static List<Long> neverSeenFrom(List<LaneTally> drains) {
        List<Long> never = new ArrayList<>();
        CustomerSketch seenFromHere = CustomerSketch.empty();
        for (int i = drains.size() - 1; i >= 0; i--) {
            seenFromHere = seenFromHere.merge(drains.get(i).customers().seen());
            CustomerSketch seen = seenFromHere;
            drains.get(i).customers().failed().stream()
                    .filter(hash -> !seen.merge(SampleCustomers.sketch(LongStream.of(hash)))
                            .equals(seen))
                    .forEach(never::add);
        }
        return never;
    }

    private void recordAll(String prefix, int customers, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < customers; i++) {
                recorder.begin(canary(prefix + i)).end(FAST, round % 2 == 0);
                recorder.begin(canary("")).end(SLOW, false);
            }
        }
    }

    private static Set<Long> expected(int customers) {
        Set<Long> all = new HashSet<>();
        for (int thread = 0; thread < 4; thread++) {
            for (int i = 0; i < customers; i++) {
                all.add(CustomerHash.of("t" + thread + "-" + i));
            }
        }
        return all;
    }

    private static List<Long> inLevel(int customers, CustomerSample sample) {
        return expected(customers).stream()
                .filter(hash -> CustomerSample.isIn(hash, sample.level()))
                .toList();
    }

    private void requests(TrafficTag[] tags, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < tags.length; i++) {
                recorder.begin(tags[i]).end(i % 3 == 0 ? SLOW : FAST, i % 2 == 0);
            }
        }
    }

    private LaneTally drain(Lane lane) {
        return recorder.drain().getOrDefault(key(1, lane), LaneTally.empty());
    }

    private void seconds(long seconds) {
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    private void publish(ReleaseRule... releases) {
        rules.offer(RuleSet.of(0, ++revision, List.of(releases)));
    }

    private static ReleaseRule rule(long step) {
        return SampleRule.of("r1", SampleRule.split("r1", 50, "vip-1"), step, List.of(), "order");
    }

    private static TrafficTag canary(String uid) {
        return new TrafficTag(uid, "", List.of(new Assignment("r1", "v2")));
    }

    private static TrafficTag stable(String uid) {
        return new TrafficTag(uid, "", List.of());
    }

    private static ObservationKey key(long step, Lane lane) {
        return new ObservationKey("r1", step, lane);
    }
}
