package io.sluice.dubbo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.sluice.core.decision.Percent;
import io.sluice.core.routing.ColorWeights;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.Flow;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.tag.Color;
import io.sluice.testing.Requirement;
import io.sluice.wire.RuleSetJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.curator.test.TestingServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Services b, c and d of one channel in release: two blue and three green processes at a real registry, called by a process
 * with Sluice and by a stranger without.
 */
class ChannelReleaseTest {
    private static final int BLUES = 2;
    private static final int GREENS = 3;
    private static final String ALL = "{blue=100,100, green=100,100,100}";

    private static TestingServer registry;
    private static final List<ChildProcess> providers = new ArrayList<>();
    private static ChildProcess caller;
    private static ChildProcess stranger;
    private static long revision = 1;

    @BeforeAll
    static void start() throws Exception {
        registry = new TestingServer();
        for (int i = 1; i <= BLUES; i++) {
            providers.add(provider("blue", i));
        }
        for (int i = 1; i <= GREENS; i++) {
            providers.add(provider("green", i));
        }
        caller = ChildProcess.start(text(resting()), "caller", registry.getConnectString(), "100", "-", "0");
        stranger = ChildProcess.start(text(resting()), "stranger", registry.getConnectString(), "100", "-", "0");
        everybody().forEach(ChildProcess::awaitReady);
    }

    private static ChildProcess provider(String color, int number) throws Exception {
        return ChildProcess.start(
                text(resting()), "provider", registry.getConnectString(), "100", color, String.valueOf(number));
    }

    @AfterAll
    static void stop() throws Exception {
        for (ChildProcess child : everybody().toList()) {
            child.close();
        }
        registry.close();
    }

    @BeforeEach
    void rest() {
        publish(null, null);
        awaitWeights(ALL);
        // And all the others of all they call: a test before may have taken a side out of the registry.
        await().untilAsserted(() ->
                assertThat(everybody()).extracting(each -> each.order("known")).containsOnly("[" + ALL + "]"));
    }

    @ParameterizedTest(name = "{0} %")
    @ValueSource(ints = {1, 25, 50, 99})
    @Requirement({"F1", "F3"})
    void callersWithoutSluiceSendEachColorItsShare(int blue) {
        int calls = 5_000;

        publish(blue, null);
        ColorWeights plan = awaitPlan(blue);
        double share = share(stranger.order("calls " + calls), calls);

        // Four standard deviations of so many independent calls; the planner itself may be off by half a point.
        double achieved = plan.achieved().basisPoints() / 10_000.0;
        double chance = 4 * Math.sqrt(achieved * (1 - achieved) / calls);
        assertThat(share).isCloseTo(achieved, within(chance));
        assertThat(share).isCloseTo(blue / 100.0, within(chance + 0.005));
    }

    @ParameterizedTest(name = "{0} %")
    @CsvSource({"0, blue", "100, green"})
    @Requirement({"F2", "L14"})
    void aDrainedSideGetsNoCallOnConnectionsThatAreKept(int blue, String drained) {
        stranger.order("calls 500"); // Connections to all providers are there.

        publish(blue, null);
        awaitPlan(blue);

        assertThat(tallies(stranger.order("calls 1500"))).doesNotContainKeys(drained, "failed", "mixed");
    }

    @Test
    @Requirement("E7")
    void eachCustomerHasOneColorOnAllHops() {
        publish(25, null);
        Flow flow = flow(25, null);

        for (int i = 0; i < 100; i++) {
            String color = flow.enter("c-" + i).label();
            String trace = caller.order("visit c-" + i + " c>d,d,c");

            assertThat(colorsIn(trace)).as(trace).containsExactly(color);
            assertThat(trace.split("/")).hasSize(11);
        }
        assertThat(crossed()).isZero();
    }

    @Test
    @Requirement({"L6", "E7"})
    void theColorSurvivesCallbacksAndAsynchronousAnswers() {
        publish(50, null);
        Flow flow = flow(50, null);

        for (int i = 0; i < 50; i++) {
            String color = flow.enter("c-" + i).label();
            String trace = caller.order("later c-" + i + " c,d,c>d");

            assertThat(colorsIn(trace)).as(trace).containsExactly(color);
            assertThat(trace.split("/")).hasSize(11);
        }
        for (int i = 0; i < 50; i++) {
            assertThat(colorsIn(stranger.order("later - c,d,c>d"))).hasSize(1);
        }
        assertThat(providers).extracting(each -> each.order("leaks")).containsOnly("0");
        assertThat(crossed()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"blue", "green"})
    @Requirement("E7")
    void aCallKeepsItsColorWhileTheRulesTurnRound(String color) throws Exception {
        providers.forEach(each -> each.order("hold"));
        publish(50, null);
        Flow before = flow(50, null);
        String customer = Stream.iterate(0, i -> i + 1)
                .map(i -> "c-" + i)
                .filter(each -> before.enter(each).label().equals(color))
                .findFirst()
                .orElseThrow();

        CompletableFuture<String> trace =
                CompletableFuture.supplyAsync(() -> caller.order("visit " + customer + " hold,c>d,d"));
        await().until(() -> underWay() > 0);
        String newer = text(rules(color.equals("blue") ? 0 : 100, null));
        providers.forEach(each -> each.order("rules " + newer));
        providers.forEach(each -> each.order("go 1"));

        assertThat(colorsIn(trace.get())).containsExactly(color);
        assertThat(crossed()).isZero();
    }

    @Test
    @Requirement({"F1", "F3", "E7"})
    void nothingIsLostOrCrossedInManySwitchesUnderLoad() {
        publish(50, null);
        awaitPlan(50);
        everybody().forEach(each -> each.order("slowest"));

        caller.order("load 2 c>d");
        stranger.order("load 2 c>d");
        for (int i = 0; i < 24; i++) {
            int blue = List.of(0, 1, 25, 50, 99, 100).get(i * 5 % 6);
            publish(blue, null);
            awaitPlan(blue);
        }
        Map<String, Long> ours = tallies(caller.order("end"));
        Map<String, Long> strangers = tallies(stranger.order("end"));

        assertThat(ours).containsOnlyKeys("blue", "green");
        assertThat(strangers).containsOnlyKeys("blue", "green");
        assertThat(crossed()).isZero();
        await().untilAsserted(() -> assertThat(underWay()).isZero());
        System.out.println("24 switches under load: with Sluice " + ours + ", slowest " + caller.order("slowest")
                + "; without " + strangers + ", slowest " + stranger.order("slowest"));
    }

    @Test
    @Requirement({"F2", "F3"})
    void aClosedSideLeavesTheRegistryAndComesBackWithoutALoss() throws Exception {
        publish(0, null);
        awaitPlan(0);
        stranger.order("load 2 c");
        caller.order("load 2 c");

        publish(0, Color.BLUE);
        awaitWeights("{green=100,100,100}");
        List<String> registered =
                providers.stream().map(each -> each.order("registered")).toList();
        ChildProcess late = ChildProcess.start(
                text(rules(0, Color.BLUE)), "provider", registry.getConnectString(), "100", "blue", "9");
        late.awaitReady();
        String lateRegistered = late.order("registered");
        publish(0, null);
        late.close();
        awaitWeights("{blue=0,0, green=100,100,100}");
        Map<String, Long> strangers = tallies(stranger.order("end"));
        Map<String, Long> ours = tallies(caller.order("end"));

        assertThat(registered.subList(0, BLUES)).containsOnly("b=false c=false d=false");
        assertThat(registered.subList(BLUES, BLUES + GREENS)).containsOnly("b=true c=true d=true");
        assertThat(lateRegistered).isEqualTo("b=false c=false d=false");
        assertThat(strangers).containsOnlyKeys("green");
        assertThat(ours).containsOnlyKeys("green");
    }

    @Test
    void rulesThatCameWhileTheRegistryWasAwayAreFollowedWhenItIsBack() throws Exception {
        registry.stop();
        publish(25, null);
        registry.restart();

        awaitPlan(25);
    }

    /** Dubbo holds back what comes within five seconds of the notification before, from the eleventh on. */
    @Test
    @Requirement("F3")
    void aStrangerWithDubbosUsualDelayIsDrainedWithinIt() throws Exception {
        try (ChildProcess usual =
                ChildProcess.start(text(resting()), "stranger", registry.getConnectString(), "", "-", "0")) {
            usual.awaitReady();
            usual.order("calls 100");
            for (int blue : List.of(99, 25, 75, 5, 95, 1, 80, 10)) {
                publish(blue, null);
                awaitPlan(blue);
            }

            publish(0, null);
            long start = System.nanoTime();
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> usual.order("weights").startsWith("{blue=0,0,"));
            System.out.println("drained for a stranger with the usual delay after "
                    + Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms");

            assertThat(tallies(usual.order("calls 1000"))).containsOnlyKeys("green");
        }
    }

    @Test
    @Requirement("E7")
    void aColorWithoutProvidersFailsAtOnceAndSaysWhy() {
        publish(0, Color.BLUE);
        awaitWeights("{green=100,100,100}");
        await().until(() -> caller.order("weights").equals("{green=100,100,100}"));
        caller.order("rules " + text(rules(100, null)));

        String answer = caller.order("visit c-1 -");

        assertThat(answer).startsWith("failed: no blue provider of b is among 3");
    }

    private static Stream<ChildProcess> everybody() {
        return Stream.concat(providers.stream(), Stream.of(caller, stranger));
    }

    private static void publish(@Nullable Integer blue, @Nullable Color closed) {
        String document = text(rules(blue, closed));
        everybody().forEach(each -> each.order("rules " + document));
    }

    private static RuleSet resting() {
        return RuleSet.of(1, 1, List.of(), List.of(Channel.of("trade", List.of("b", "c", "d"))));
    }

    private static RuleSet rules(@Nullable Integer blue, @Nullable Color closed) {
        Flow flow = blue == null ? null : flow(blue, closed);
        Channel channel = new Channel("trade", List.of("b", "c", "d"), flow, Set.of());
        return RuleSet.of(1, ++revision, List.of(), List.of(channel));
    }

    private static Flow flow(int blue, @Nullable Color closed) {
        return new Flow(
                "trade-2026-11",
                "v2",
                Color.BLUE,
                Percent.of(blue),
                closed,
                revision,
                Duration.ofSeconds(1),
                Duration.ofSeconds(30));
    }

    private static String text(RuleSet rules) {
        return new String(RuleSetJson.write(rules), StandardCharsets.UTF_8).strip();
    }

    private static ColorWeights awaitPlan(int blue) {
        ColorWeights plan = ColorWeights.plan(Percent.of(blue), BLUES, GREENS);
        awaitWeights("{blue=" + times(BLUES, plan.blue()) + ", green=" + times(GREENS, plan.green()) + "}");
        return plan;
    }

    private static String times(int instances, int weight) {
        return String.join(",", Collections.nCopies(instances, String.valueOf(weight)));
    }

    /** Waits until the stranger has the weights from the registry. */
    private static void awaitWeights(String weights) {
        await().pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(stranger.order("weights")).isEqualTo(weights));
    }

    private static long underWay() {
        return providers.stream()
                .mapToLong(each -> Long.parseLong(each.order("served").split(" ")[1]))
                .sum();
    }

    private static long crossed() {
        return providers.stream()
                .mapToLong(each -> Long.parseLong(each.order("served").split(" ")[2]))
                .sum();
    }

    private static Set<String> colorsIn(String trace) {
        Set<String> found = new TreeSet<>();
        for (String color : List.of("blue", "green")) {
            if (trace.contains("/" + color + "/")) {
                found.add(color);
            }
        }
        return found;
    }

    private static double share(String answer, int calls) {
        Map<String, Long> tallies = tallies(answer);
        assertThat(tallies.values().stream().mapToLong(each -> each).sum()).isEqualTo(calls);
        assertThat(tallies).doesNotContainKeys("failed", "mixed");
        return tallies.getOrDefault("blue", 0L) / (double) calls;
    }

    /** As {@code {blue=3, green=5}}. */
    private static Map<String, Long> tallies(String answer) {
        Map<String, Long> tallies = new TreeMap<>();
        for (String each : answer.substring(1, answer.length() - 1).split(", ")) {
            int equals = each.lastIndexOf('=');
            if (equals > 0) {
                tallies.put(each.substring(0, equals), Long.parseLong(each.substring(equals + 1)));
            }
        }
        return tallies;
    }
}
