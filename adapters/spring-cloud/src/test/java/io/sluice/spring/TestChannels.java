package io.sluice.spring;

import io.sluice.core.decision.Percent;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.Flow;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.tag.ChannelColors;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TrafficTag;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The channels that the tests of this module release: order and inventory together, coupon in one of its own. */
public final class TestChannels {
    public static final String TRADE = "trade";
    public static final String PROMO = "promo";

    private static final List<String> TRADED = List.of("inventory", "order");

    private TestChannels() {}

    /** Rules in which trade alone is in release, with this share of blue, and green is being admitted. */
    public static RuleSet trade(long revision, int bluePercent) {
        return trade(revision, bluePercent, null);
    }

    /** The same with a side that has left its registry. */
    public static RuleSet trade(long revision, int bluePercent, @Nullable Color closed) {
        return RuleSet.of(
                1,
                revision,
                List.of(),
                List.of(released(TRADE, TRADED, bluePercent, closed), Channel.of(PROMO, List.of("coupon"))));
    }

    /** Rules in which both channels are in release. */
    public static RuleSet both(long revision, int blueOfTrade, @Nullable Color closed, int blueOfPromo) {
        return RuleSet.of(
                1,
                revision,
                List.of(),
                List.of(
                        released(TRADE, TRADED, blueOfTrade, closed),
                        released(PROMO, List.of("coupon"), blueOfPromo, null)));
    }

    /** Rules in which none is. */
    public static RuleSet resting(long revision, String... instances) {
        return RuleSet.of(
                1,
                revision,
                List.of(),
                List.of(new Channel(TRADE, TRADED, null, Set.of(instances)), Channel.of(PROMO, List.of("coupon"))));
    }

    /** The tag of a customer whose request has this color in trade. */
    public static TrafficTag tag(String customer, Color color) {
        return new TrafficTag(customer, "", List.of(), ChannelColors.of(Map.of(TRADE, color)));
    }

    private static Channel released(String id, List<String> services, int bluePercent, @Nullable Color closed) {
        Flow flow = new Flow(
                id + "-2026-11",
                "v2",
                Color.GREEN,
                Percent.of(bluePercent),
                closed,
                1,
                Duration.ofSeconds(1),
                Duration.ofSeconds(10));
        return new Channel(id, services, flow, Set.of());
    }
}
