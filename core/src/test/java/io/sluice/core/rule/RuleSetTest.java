package io.sluice.core.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.decision.Lane;
import io.sluice.core.decision.Percent;
import io.sluice.core.identity.Identity;
import io.sluice.core.identity.RequestView;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.tag.Assignment;
import io.sluice.core.tag.TrafficTag;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RuleSetTest {
    private static final TrafficTag ON_R1 = tag("r1", "v2");

    @Requirement({"A8", "E5", "F30"})
    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("tags")
    void onlyALiveReleaseTakesATagToItsVersion(String name, TrafficTag tag, String wanted) {
        RuleSet rules =
                RuleSet.of(0, 1, List.of(SampleRule.live("r1", 0, "order"), SampleRule.aborted("r2", "coupon")));

        assertThat(rules.wantedVersion(tag, "order")).isEqualTo(wanted);
        assertThat(rules.wantedVersion(tag, "coupon")).isEqualTo("stable");
        assertThat(rules.wantedVersion(tag, "elsewhere")).isEqualTo("stable");
    }

    static List<Arguments> tags() {
        return List.of(
                Arguments.of("a live release", ON_R1, "v2"),
                Arguments.of("an aborted release", tag("r2", "v2"), "stable"),
                Arguments.of("an unknown or finished release", tag("r0", "v2"), "stable"),
                Arguments.of("another version than the release's", tag("r1", "v3"), "stable"),
                Arguments.of("the word stable", tag("r1", "stable"), "stable"),
                Arguments.of("no tag", TrafficTag.empty(), "stable"),
                Arguments.of(
                        "several releases",
                        new TrafficTag("", "", List.of(new Assignment("r2", "v2"), new Assignment("r1", "v2"))),
                        "v2"));
    }

    @Requirement("A8")
    @Test
    void anAbortReachesRequestsThatAreUnderWay() {
        RuleSet before = RuleSet.of(0, 1, List.of(SampleRule.live("r1", 100, "order")));
        RuleSet after = RuleSet.of(0, 2, List.of(SampleRule.aborted("r1", "order")));

        TrafficTag worn = before.dye(RequestView.empty(), Identity.ofCustomer("42"));

        assertThat(before.wantedVersion(worn, "order")).isEqualTo("v2");
        assertThat(after.wantedVersion(worn, "order")).isEqualTo("stable");
        assertThat(after.releaseOf("order").laneOf(worn)).isEqualTo(Lane.STABLE);
    }

    @Requirement("E1")
    @Test
    void theEdgeDyesForEveryReleaseAtOnce() {
        RuleSet rules = RuleSet.of(
                0,
                1,
                List.of(
                        SampleRule.live("r1", 100, "order"),
                        SampleRule.live("r2", 0, "coupon"),
                        SampleRule.live("r3", 100, "user")));

        TrafficTag tag = rules.dye(RequestView.empty(), Identity.of("42", "req-1", "app"));

        assertThat(tag)
                .isEqualTo(
                        new TrafficTag("42", "app", List.of(new Assignment("r1", "v2"), new Assignment("r3", "v2"))));
    }

    @Requirement("A7")
    @Test
    void everyReleaseExplainsItself() {
        ReleaseRule live = SampleRule.live("release-2026-10", 50, "order");
        ReleaseRule aborted = SampleRule.aborted("r2", "coupon");
        RuleSet rules = RuleSet.of(0, 1, List.of(live, aborted));

        var decisions = rules.explain(RequestView.empty(), Identity.ofCustomer("customer-42"));

        assertThat(decisions).containsOnlyKeys(live, aborted);
        assertThat(decisions.get(live).bucket()).isEqualTo(4118);
        assertThat(decisions.get(live).reason()).isEqualTo("weight");
        assertThat(decisions.get(aborted).reason()).isEqualTo("abort:p99");
    }

    @Test
    void twoReleasesOfOneServiceAreRefusedByName() {
        List<ReleaseRule> both =
                List.of(SampleRule.live("r1", 1, "order", "user"), SampleRule.live("r2", 1, "coupon", "user"));

        assertThatThrownBy(() -> RuleSet.of(0, 1, both))
                .isInstanceOf(RefusedException.class)
                .hasMessage("releases[1].services was user, but must not be in release r1 at the same time");
    }

    @Test
    void everyProblemIsNamedAtOnce() {
        List<ReleaseRule> twins = List.of(SampleRule.live("r1", 1, "order"), SampleRule.live("r1", 1, "order"));

        assertThatThrownBy(() -> RuleSet.of(-1, -1, twins))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.problems())
                                .extracting("path")
                                .containsExactly("epoch", "revision", "releases[1].id", "releases[1].services"));
    }

    @Requirement("F5")
    @ParameterizedTest(name = "{0}.{1} after {2}.{3}: {4}")
    @CsvSource({"0, 2, 0, 1, true", "0, 1, 0, 1, false", "0, 1, 0, 2, false", "1, 1, 0, 9, true", "0, 9, 1, 1, false"})
    void newerMeansAHigherEpochOrElseAHigherRevision(
            long epoch, long revision, long otherEpoch, long otherRevision, boolean newer) {
        RuleSet one = RuleSet.of(epoch, revision, List.of());
        RuleSet other = RuleSet.of(otherEpoch, otherRevision, List.of());

        assertThat(one.isNewerThan(other)).isEqualTo(newer);
    }

    @Test
    void aRuleSetIsWhatItSays() {
        ReleaseRule order = SampleRule.live("r1", 1, "order");
        RuleSet rules = RuleSet.of(1, 2, List.of(order));

        assertThat(rules)
                .isEqualTo(RuleSet.of(1, 2, List.of(SampleRule.live("r1", 1, "order"))))
                .hasSameHashCodeAs(RuleSet.of(1, 2, List.of(SampleRule.live("r1", 1, "order"))))
                .isNotEqualTo(RuleSet.of(1, 2, List.of(SampleRule.live("r1", 2, "order"))))
                .isNotEqualTo(RuleSet.empty());
        assertThat(rules.release("r1")).isSameAs(order);
        assertThat(rules.release("r2")).isNull();
        assertThat(rules.releaseOf("order")).isSameAs(order);
        assertThat(rules.releaseOf("user")).isNull();
    }

    @ParameterizedTest(name = "[{0}]")
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "../../etc/passwd",
                "..%2f",
                "a/b",
                "a\u0000b",
                "R1",
                "-r1",
                "a b",
                "张",
                "r1\n",
                "con",
                "nul",
                "aux.2026",
                "com1",
                "lpt9.x"
            })
    void idsThatCouldActSomewhereAreRefused(String id) {
        assertThatThrownBy(() -> SampleRule.of(id, SampleRule.split("s", 1), 1, List.of(), "order"))
                .hasMessageStartingWith("id was ");
        assertThatThrownBy(() -> Rule.of(id, new Match.Channel("app"), Percent.ZERO))
                .hasMessageStartingWith("name was ");
    }

    @ParameterizedTest(name = "[{0}]")
    @ValueSource(strings = {"console", "con-1", "com", "com10", "nul_1", "x.con"})
    void idsThatOnlyBeginLikeADeviceAreNotRefused(String id) {
        assertThat(SampleRule.live(id, 1, "order").id()).isEqualTo(id);
    }

    @Test
    void everythingWrongWithAReleaseIsNamed() {
        Rule twin = Rule.of("twin", new Match.Channel("app"), Percent.HUNDRED);

        assertThatThrownBy(() -> new ReleaseRule(
                        "R 1",
                        "stable",
                        List.of("order", "order", "a/b"),
                        SampleRule.split("s", 1),
                        List.of(twin, twin),
                        -1,
                        Duration.ZERO))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.problems())
                                .extracting("path")
                                .containsExactly(
                                        "id",
                                        "version",
                                        "services[1]",
                                        "services[2]",
                                        "rules[1].name",
                                        "step",
                                        "slowerThan"));
    }

    @Test
    void aReleaseCoversAtLeastOneService() {
        assertThatThrownBy(() -> SampleRule.live("r1", 1))
                .hasMessage("services was empty, but must name at least one service");
    }

    private static TrafficTag tag(String release, String version) {
        return new TrafficTag("", "", List.of(new Assignment(release, version)));
    }
}
