package io.sluice.core.propagation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.tag.ChannelColors;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TagReading;
import io.sluice.core.tag.TrafficTag;
import io.sluice.testing.Requirement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

@Requirement("E7")
class TagCarrierTest {
    private static final CarrierGetter<Map<String, String>> GETTER =
            (carrier, name) -> carrier.containsKey(name) ? List.of(carrier.get(name)) : List.of();
    private static final CarrierSetter<Map<String, String>> SETTER = Map::put;
    private static final TrafficTag BLUE_IN_TRADE =
            new TrafficTag("10086", "app", List.of(), ChannelColors.none().with("trade", Color.BLUE));

    private final Map<String, String> carrier = new TreeMap<>();

    @Test
    void colorsTravelInOurHeaderAndInTheBaggage() {
        carrier.put("baggage", "a=1");

        TagCarrier.inject(BLUE_IN_TRADE, carrier, GETTER, SETTER);

        assertThat(carrier)
                .isEqualTo(Map.of(
                        "X-Gray-Tag",
                        "uid=10086;channel=app;version=stable",
                        "x-deploy-channel-type",
                        "trade%3Dblue",
                        "baggage",
                        "x-deploy-channel-type=trade%3Dblue,a=1"));
        assertThat(TagCarrier.extract(carrier, GETTER)).isEqualTo(new TagReading(BLUE_IN_TRADE, ""));
    }

    @Test
    void eitherOfTheTwoIsEnough() {
        TagCarrier.inject(BLUE_IN_TRADE, carrier, GETTER, SETTER);
        Map<String, String> withoutBaggage = new TreeMap<>(carrier);
        withoutBaggage.remove("baggage");
        carrier.remove("x-deploy-channel-type");

        assertThat(TagCarrier.extract(carrier, GETTER).tag()).isEqualTo(BLUE_IN_TRADE);
        assertThat(TagCarrier.extract(withoutBaggage, GETTER).tag()).isEqualTo(BLUE_IN_TRADE);
    }

    @Test
    void tagWithoutColorsLeavesTheBaggageAlone() {
        carrier.put("baggage", "a=1");

        TagCarrier.inject(new TrafficTag("10086", "", List.of()), carrier, GETTER, SETTER);

        assertThat(carrier).isEqualTo(Map.of("X-Gray-Tag", "uid=10086;version=stable", "baggage", "a=1"));
    }

    @Test
    void colorsSurviveATagThatIsRefusedAndTheOtherWayRound() {
        Map<String, String> badTag = Map.of("X-Gray-Tag", "%%", "x-deploy-channel-type", "trade=blue");
        Map<String, String> badColors =
                Map.of("X-Gray-Tag", "uid=10086;version=stable", "x-deploy-channel-type", "a=b=c");

        TagReading colors = TagCarrier.extract(badTag, GETTER);
        TagReading tag = TagCarrier.extract(badColors, GETTER);

        assertThat(colors.isRefused()).isTrue();
        assertThat(colors.tag().colors().in("trade")).isEqualTo(Color.BLUE);
        assertThat(tag.isRefused()).isFalse();
        assertThat(tag.tag().uid()).isEqualTo("10086");
        assertThat(tag.refusedColors()).isEqualTo(1);
    }
}
