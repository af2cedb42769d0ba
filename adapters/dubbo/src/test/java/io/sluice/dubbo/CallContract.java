package io.sluice.dubbo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.core.rule.Flow;
import io.sluice.core.tag.ChannelColors;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TrafficTag;
import io.sluice.testing.Requirement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for calls in a release, whatever protocol they are made by. */
abstract class CallContract extends ChannelFleet {
    /** More of them are a figure, and no test: see docs/figures.md. */
    private static final int SWITCHES = Integer.getInteger("sluice.switches", 24);

    @ParameterizedTest(name = "{0} %")
    @CsvSource({"0, blue", "100, green"})
    @Requirement({"F2", "L14"})
    void aDrainedSideEndsItsCallsAndGetsNoneOnConnectionsThatAreKept(int blue, String drained) {
        providers.forEach(each -> each.order("hold"));
        publish(50, null);
        awaitPlan(50);
        stranger.order("calls 500"); // Connections to all providers are there.
        caller.order("begin " + customerOf(drained) + " hold");
        await().until(() -> underWay() == 1);

        publish(blue, null);
        awaitPlan(blue);
        Map<String, Long> later = tallies(stranger.order("calls 1500"));
        long stillUnderWay = underWay();
        providers.forEach(each -> each.order("go 1"));

        assertThat(later).doesNotContainKeys(drained, "failed", "mixed");
        assertThat(stillUnderWay).isEqualTo(1);
        assertThat(colorsIn(caller.order("answer"))).containsExactly(drained);
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
    void aCallKeepsItsColorWhileTheRulesTurnRound(String color) {
        providers.forEach(each -> each.order("hold"));
        publish(50, null);

        caller.order("begin " + customerOf(color) + " hold,c>d,d");
        await().until(() -> underWay() > 0);
        publish(color.equals("blue") ? 0 : 100, null);
        providers.forEach(each -> each.order("go 1"));

        assertThat(colorsIn(caller.order("answer"))).containsExactly(color);
        assertThat(crossed()).isZero();
    }

    /** Protocols differ in what they make of names in capitals and of text beyond ASCII. */
    @Test
    @Requirement({"E4", "L6"})
    void theWholeTagArrivesOnTheLastHop() {
        publish(25, null);
        Color color = flow(25, null).enter("李雷");

        String trace = caller.order("visit 李雷 c>d>" + Hop.TAG);

        assertThat(trace)
                .contains(
                        new TrafficTag("李雷", Child.CHANNEL, Child.ASSIGNMENTS, ChannelColors.of(Map.of("trade", color)))
                                .toString());
    }

    @Test
    @Requirement({"F1", "F3", "E7"})
    void nothingIsLostOrCrossedInManySwitchesUnderLoad() {
        publish(50, null);
        awaitPlan(50);
        everybody().forEach(each -> each.order("slowest"));

        caller.order("load 2 c>d");
        stranger.order("load 2 c>d");
        for (int i = 0; i < SWITCHES; i++) {
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
        System.out.println(SWITCHES + " switches under load: with Sluice " + ours + ", slowest "
                + caller.order("slowest") + "; without " + strangers + ", slowest " + stranger.order("slowest"));
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

    /** One who has this color while half of them have. */
    private String customerOf(String color) {
        Flow half = flow(50, null);
        return Stream.iterate(0, i -> i + 1)
                .map(i -> "c-" + i)
                .filter(each -> half.enter(each).label().equals(color))
                .findFirst()
                .orElseThrow();
    }

    static Set<String> colorsIn(String trace) {
        Set<String> found = new TreeSet<>();
        for (String color : List.of("blue", "green")) {
            if (trace.contains("/" + color + "/")) {
                found.add(color);
            }
        }
        return found;
    }
}
