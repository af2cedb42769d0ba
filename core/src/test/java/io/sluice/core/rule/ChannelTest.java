package io.sluice.core.rule;

import static io.sluice.core.rule.SampleChannel.at;
import static io.sluice.core.rule.SampleChannel.calm;
import static io.sluice.core.rule.SampleChannel.closed;
import static io.sluice.core.rule.SampleChannel.in;
import static io.sluice.core.tag.Color.BLUE;
import static io.sluice.core.tag.Color.GREEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.decision.Lane;
import io.sluice.core.decision.Percent;
import io.sluice.core.identity.Identity;
import io.sluice.core.identity.RequestView;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.tag.ChannelColors;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TrafficTag;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ChannelTest {
    private static final TrafficTag ANYBODY = TrafficTag.empty();

    @Requirement("C3")
    @Test
    void outsideAReleaseColorsDoNotMatter() {
        Channel channel = calm("trade", "order", "inventory");
        RuleSet rules = rules(channel);

        assertThat(channel.isInRelease()).isFalse();
        assertThat(channel.bluePercent()).isEqualTo(Percent.of(50));
        assertThat(channel.services()).containsExactly("inventory", "order");
        assertThat(channel.isDrained(BLUE, "order@1")).isFalse();
        assertThat(channel.isClosed(BLUE, "order@1")).isFalse();
        assertThat(rules.colored(ANYBODY, "order", BLUE)).isSameAs(ANYBODY);
        assertThat(rules.wantedColor(wearing("trade", BLUE), "order")).isNull();
        assertThat(rules.watched()).isEmpty();
    }

    @Requirement("E7")
    @Test
    void firstDoorDecidesForEveryChannelAndLaterOnesReuse() {
        RuleSet rules = rules(at(0, "trade", "order"), at(100, "user", "user"), calm("promo", "coupon"));

        TrafficTag tag = rules.colored(ANYBODY, "gateway", null);
        TrafficTag later =
                rules(at(100, "trade", "order"), at(0, "user", "user")).colored(tag, "gateway", null);

        assertThat(tag.colors().asMap()).isEqualTo(Map.of("trade", GREEN, "user", BLUE));
        assertThat(later).isEqualTo(tag);
        assertThat(rules.wantedColor(tag, "order")).isEqualTo(GREEN);
        assertThat(rules.wantedColor(tag, "user")).isEqualTo(BLUE);
        assertThat(rules.wantedColor(tag, "coupon")).isNull();
        assertThat(rules.wantedColor(tag, "elsewhere")).isNull();
        assertThat(rules.wantedColor(ANYBODY, "order")).isNull();
    }

    @Requirement("E7")
    @Test
    void whatBeginsInAChannelHasTheColorOfTheInstanceThere() {
        RuleSet rules = rules(at(0, "trade", "order"), at(0, "user", "user"));

        assertThat(rules.colored(ANYBODY, "order", BLUE).colors().asMap())
                .isEqualTo(Map.of("trade", BLUE, "user", GREEN));
        assertThat(rules.colored(wearing("trade", GREEN), "order", BLUE)
                        .colors()
                        .in("trade"))
                .isEqualTo(GREEN);
        assertThat(rules.colored(ANYBODY, "order", null).colors().in("trade")).isEqualTo(GREEN);
    }

    @Requirement("E7")
    @Test
    void dyedCustomerHasOneColorPerChannelWhicheverGatewayItIs() {
        RuleSet rules = rules(at(50, "trade", "order"));

        assertThat(IntStream.range(0, 1000).mapToObj(i -> Identity.ofCustomer("c" + i)))
                .allSatisfy(who ->
                        assertThat(rules.dye(RequestView.empty(), who)).isEqualTo(rules.dye(RequestView.empty(), who)));
    }

    @Requirement("C4")
    @Test
    void drainedAndClosedAreASidesOrARestingInstances() {
        Channel drained = at(0, "trade", "order");
        Channel leaving = closed(BLUE, "trade", "order");
        Channel rolling = new Channel("trade", List.of("order"), null, Set.of("order@1"));

        assertThat(drained.isDrained(BLUE, "order@1")).isTrue();
        assertThat(drained.isDrained(GREEN, "order@1")).isFalse();
        assertThat(drained.isDrained(null, "order@1")).isFalse();
        assertThat(drained.isClosed(BLUE, "order@1")).isFalse();
        assertThat(leaving.isClosed(BLUE, "order@1")).isTrue();
        assertThat(leaving.isClosed(GREEN, "order@1")).isFalse();
        assertThat(leaving.isClosed(null, "order@1")).isFalse();
        assertThat(rolling.isDrained(null, "order@1")).isTrue();
        assertThat(rolling.isClosed(BLUE, "order@1")).isTrue();
        assertThat(rolling.isClosed(BLUE, "order@2")).isFalse();
    }

    @Requirement("C5")
    @ParameterizedTest(name = "{0}")
    @MethodSource("clashes")
    void clashIsRefusedByName(String name, List<ReleaseRule> releases, List<Channel> channels, List<String> problems) {
        assertThatThrownBy(() -> RuleSet.of(0, 1, releases, channels))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.problems())
                                .extracting(Problem::toString)
                                .containsExactlyElementsOf(problems));
    }

    static Stream<Arguments> clashes() {
        ReleaseRule canary = SampleRule.live("r1", 10, "order");
        return Stream.of(
                Arguments.of(
                        "a service in two channels",
                        List.of(),
                        List.of(calm("trade", "order", "user"), calm("user", "user")),
                        List.of("channels[1].services was user, but must not be in channel trade at the same time")),
                Arguments.of(
                        "two channels of one name",
                        List.of(),
                        List.of(calm("trade", "order"), calm("trade", "user")),
                        List.of("channels[1].id was trade, but must be used once")),
                Arguments.of(
                        "two channels in one release",
                        List.of(),
                        List.of(in("r1", 1, "trade", "order"), in("r1", 1, "user", "user")),
                        List.of("channels[1].flow.release was r1, but must be used once")),
                Arguments.of(
                        "a channel and a canary in one release",
                        List.of(canary),
                        List.of(in("r1", 1, "user", "user")),
                        List.of("channels[0].flow.release was r1, but must be used once")),
                Arguments.of(
                        "a channel and a canary in one rolling release",
                        List.of(SampleRule.live("r1", 10, "stock")),
                        List.of(renewed("r1", "user")),
                        List.of("channels[0].renewal.release was r1, but must be used once")),
                Arguments.of(
                        "a service in a canary and in a channel in a rolling release",
                        List.of(canary),
                        List.of(renewed("r2", "order")),
                        List.of("channels[0].services was order, but must not be in release r1 while its channel is in"
                                + " one")),
                Arguments.of(
                        "a service in a canary and in a channel in release",
                        List.of(canary),
                        List.of(at(1, "trade", "order")),
                        List.of("channels[0].services was order, but must not be in release r1 while its channel is in"
                                + " one")));
    }

    @Requirement("C3")
    @Test
    void rollingReleaseIsCountedByTheVersionThatServesAndByNoTag() {
        Watched watched = RuleSet.of(0, 1, List.of(), List.of(renewed("r2", "order")))
                .watched()
                .get(0);

        assertThat(watched.laneOfInstance("v2", BLUE)).isEqualTo(Lane.CANARY);
        assertThat(watched.laneOfInstance("v2", null)).isEqualTo(Lane.CANARY);
        assertThat(watched.laneOfInstance("v1", null)).isEqualTo(Lane.STABLE);
        assertThat(watched.isByChance("10086")).isFalse();
        assertThat(watched.isToldByTags()).isFalse();
    }

    @Test
    void aChannelIsInOneReleaseAtATime() {
        Channel both = at(1, "trade", "order");

        assertThatThrownBy(() -> new Channel(
                        "trade",
                        List.of("order"),
                        both.flow(),
                        Set.of(),
                        renewed("r2", "x").renewal()))
                .hasMessageContaining("renewal was r2, but must be left out beside a flow");
    }

    private static Channel renewed(String release, String service) {
        Renewal renewal = new Renewal(release, "v2", 3, Duration.ofMillis(300), Duration.ofMillis(300));
        return new Channel("trade", List.of(service), null, Set.of(), renewal);
    }

    @Requirement("C5")
    @Test
    void canaryOfAServiceWhoseChannelIsInNoReleaseIsFine() {
        RuleSet rules = RuleSet.of(
                0,
                1,
                List.of(SampleRule.live("r1", 10, "order")),
                List.of(calm("trade", "order"), at(1, "user", "user")));

        assertThat(rules.watched()).extracting(Watched::release).containsExactly("r1", "user-r1");
    }

    @Requirement("C3")
    @Test
    void severalChannelsAreInReleaseAtATime() {
        RuleSet rules = rules(at(0, "trade", "order"), at(100, "user", "user"));

        assertThat(rules.channelOf("order")).isEqualTo(at(0, "trade", "order"));
        assertThat(rules.watched()).hasSize(2);
        assertThat(rules).isEqualTo(rules(at(0, "trade", "order"), at(100, "user", "user")));
        assertThat(rules).isNotEqualTo(rules(at(1, "trade", "order"), at(100, "user", "user")));
    }

    @Test
    void channelWithoutServicesOrWithABadNameIsRefused() {
        assertThatThrownBy(() -> new Channel("Trade", List.of(), null, Set.of("a b")))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.problems())
                                .extracting(Problem::path)
                                .containsExactly("id", "services", "resting"));
        assertThatThrownBy(() -> calm("trade", Collections.nCopies(2, "order").toArray(String[]::new)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("services");
    }

    private static TrafficTag wearing(String channel, Color color) {
        return ANYBODY.withColors(ChannelColors.none().with(channel, color));
    }

    private static RuleSet rules(Channel... channels) {
        return RuleSet.of(0, 1, List.of(), List.of(channels));
    }
}
