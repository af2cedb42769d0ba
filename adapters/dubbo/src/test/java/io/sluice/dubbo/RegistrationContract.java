package io.sluice.dubbo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.core.routing.ColorWeights;
import io.sluice.core.tag.Color;
import io.sluice.testing.Requirement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for providers' registrations in a release, whatever registry they are in. */
abstract class RegistrationContract extends CallContract {
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
        ChildProcess late = provider("blue", 9, rules(0, Color.BLUE));
        late.awaitReady();
        String lateRegistered = late.order("registered");
        publish(0, null);
        late.close();
        awaitPlan(0);
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

    private static double share(String answer, int calls) {
        Map<String, Long> tallies = tallies(answer);
        assertThat(tallies.values().stream().mapToLong(each -> each).sum()).isEqualTo(calls);
        assertThat(tallies).doesNotContainKeys("failed", "mixed");
        return tallies.getOrDefault("blue", 0L) / (double) calls;
    }
}
