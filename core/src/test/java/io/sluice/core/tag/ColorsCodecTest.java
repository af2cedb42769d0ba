package io.sluice.core.tag;

import static io.sluice.core.tag.Color.BLUE;
import static io.sluice.core.tag.Color.GREEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("E7")
class ColorsCodecTest {
    private static final ChannelColors BOTH = ChannelColors.of(Map.of("trade", BLUE, "user", GREEN));
    private static final String BOTH_TEXT = "trade%3Dblue%26user%3Dgreen";

    @Test
    void colorsAreOneEncodedValueInTheOrderOfTheirChannels() {
        assertThat(ColorsCodec.format(BOTH)).isEqualTo(BOTH_TEXT);
        assertThat(ColorsCodec.format(ChannelColors.none())).isEmpty();
    }

    @ParameterizedTest(name = "[{0}]")
    @MethodSource("values")
    void valueIsDecodedOnceAndBadEntriesAreDropped(String value, ChannelColors colors, int refused) {
        ColorsCodec.Reading reading = ColorsCodec.read(List.of(value), List.of());

        assertThat(reading).isEqualTo(new ColorsCodec.Reading(colors, refused));
    }

    static Stream<Arguments> values() {
        ChannelColors none = ChannelColors.none();
        return Stream.of(
                Arguments.of("ch1%3Dblue%26ch2%3Dgreen", colors("ch1", BLUE, "ch2", GREEN), 0),
                Arguments.of("ch1%3dblue%26ch2%3dgreen", colors("ch1", BLUE, "ch2", GREEN), 0),
                Arguments.of("ch1=blue&ch2=green", colors("ch1", BLUE, "ch2", GREEN), 0),
                Arguments.of("ch1%253Dblue", none, 1),
                Arguments.of("%zz", none, 1),
                Arguments.of("ch1=blue%", none, 1),
                Arguments.of("ch1=blue%2", none, 1),
                Arguments.of("ch1%3Dblue%26%C0%AE%3Dgreen", none, 1),
                Arguments.of("%C0%AE", none, 1),
                Arguments.of("ch1=blue%00", none, 1),
                Arguments.of("ch1=blue%0D%0AX-Admin: 1", none, 1),
                Arguments.of("ch1=blue+ch2=green", none, 1),
                Arguments.of("ch1=blue&ch+2=green", colors("ch1", BLUE), 1),
                Arguments.of("ch1=", none, 1),
                Arguments.of("=blue", none, 1),
                Arguments.of("ch1=&ch2=green", colors("ch2", GREEN), 1),
                Arguments.of("ch1=blue&ch1=green", none, 1),
                Arguments.of("ch1=blue&ch1=green&ch1=blue&ch2=green", colors("ch2", GREEN), 2),
                Arguments.of("ch1=blue&ch1=blue", colors("ch1", BLUE), 0),
                Arguments.of("a=b=c", none, 1),
                Arguments.of("ch1=red", none, 1),
                Arguments.of("ch1=Blue", none, 1),
                Arguments.of("CH1=blue", none, 1),
                Arguments.of("../x=blue", none, 1),
                Arguments.of("", none, 0),
                Arguments.of("&&ch1=blue&", colors("ch1", BLUE), 0),
                Arguments.of("x".repeat(65) + "=blue", none, 1),
                Arguments.of("a=blue&" + "b".repeat(ColorsCodec.LONGEST), none, 1));
    }

    @Test
    void twoHeadersThatContradictEachOtherDecideNothing() {
        ColorsCodec.Reading same = ColorsCodec.read(List.of("trade=blue", "trade=blue&user=green"), List.of());
        ColorsCodec.Reading other = ColorsCodec.read(List.of("trade=blue", "trade=green&user=green"), List.of());

        assertThat(same).isEqualTo(new ColorsCodec.Reading(BOTH, 0));
        assertThat(other).isEqualTo(new ColorsCodec.Reading(colors("user", GREEN), 1));
    }

    @Test
    void ourHeaderIsBelievedBeforeTheBaggage() {
        List<String> baggage = List.of("x-deploy-channel-type=trade%3Dgreen");

        assertThat(ColorsCodec.read(List.of("trade%3Dblue"), baggage).colors()).isEqualTo(colors("trade", BLUE));
        assertThat(ColorsCodec.read(List.of("%zz"), baggage).colors()).isEqualTo(ChannelColors.none());
        assertThat(ColorsCodec.read(List.of(), baggage).colors()).isEqualTo(colors("trade", GREEN));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "x-deploy-channel-type=trade%3Dblue%26user%3Dgreen",
                "a=1,x-deploy-channel-type=trade%3Dblue%26user%3Dgreen,b=2",
                " a=1 , x-deploy-channel-type = trade%3Dblue%26user%3Dgreen ;ttl=1;p , b=2",
                "noise x-deploy-channel-type,x-deploy-channel-type=trade%3Dblue%26user%3Dgreen",
                "x-deploy-channel-type-2=trade%3Dgreen,x-deploy-channel-type=trade%3Dblue%26user%3Dgreen"
            })
    void entryIsFoundInBaggageAsItIsWritten(String line) {
        assertThat(ColorsCodec.read(List.of(), List.of(line))).isEqualTo(new ColorsCodec.Reading(BOTH, 0));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"", ",", "a=1", "x-deploy-channel-type", "=", "x-deploy-channel-type;p=1", ";=,=;"})
    void baggageWithoutOurEntryHasNoColors(String line) {
        assertThat(ColorsCodec.read(List.of(), List.of(line)))
                .isEqualTo(new ColorsCodec.Reading(ChannelColors.none(), 0));
    }

    @Requirement("L17")
    @Test
    void ourEntryIsReadBehindAHundredOthers() {
        String line = others(100) + ",x-deploy-channel-type=" + BOTH_TEXT;

        assertThat(ColorsCodec.read(List.of(), List.of(line)).colors()).isEqualTo(BOTH);
        assertThat(ColorsCodec.read(List.of(), List.of(others(100), "x-deploy-channel-type=" + BOTH_TEXT))
                        .colors())
                .isEqualTo(BOTH);
    }

    @Requirement("L17")
    @Test
    void ourEntrySurvivesACutOfTheBaggage() {
        String written = ColorsCodec.baggageWith(BOTH, List.of(others(100), "key=" + "v".repeat(10_000)));

        String cutBySize = written.substring(0, 8192);
        String cutByCount = Stream.of(written.split(",")).limit(64).collect(Collectors.joining(","));
        assertThat(ColorsCodec.read(List.of(), List.of(cutBySize)).colors()).isEqualTo(BOTH);
        assertThat(ColorsCodec.read(List.of(), List.of(cutByCount)).colors()).isEqualTo(BOTH);
    }

    @Requirement("L17")
    @Test
    void entryThatACutWentThroughIsNeverAnotherColor() {
        String line = others(3) + ",x-deploy-channel-type=" + BOTH_TEXT;

        assertThat(IntStream.rangeClosed(0, line.length()).mapToObj(end -> line.substring(0, end)))
                .allSatisfy(cut -> assertThat(BOTH.asMap())
                        .containsAllEntriesOf(ColorsCodec.read(List.of(), List.of(cut))
                                .colors()
                                .asMap()));
    }

    @Test
    void baggageKeepsWhatIsNotOursAsItIs() {
        List<String> lines =
                List.of("a=1;p=2, b=%41", "x-deploy-channel-type=trade%3Dgreen,c=3", "X-Deploy_Channel-Type=x");

        assertThat(ColorsCodec.baggageWith(BOTH, lines))
                .isEqualTo("x-deploy-channel-type=" + BOTH_TEXT + ",a=1;p=2,b=%41,c=3");
        assertThat(ColorsCodec.baggageWith(ChannelColors.none(), lines)).isEqualTo("a=1;p=2,b=%41,c=3");
        assertThat(ColorsCodec.baggageWith(ChannelColors.none(), List.of(" , ")))
                .isNull();
        assertThat(ColorsCodec.baggageWith(BOTH, List.of())).isEqualTo("x-deploy-channel-type=" + BOTH_TEXT);
    }

    @Test
    void tenThousandMembersAreReadWithoutOurs() {
        String line = others(10_000);

        assertThat(ColorsCodec.read(List.of(), List.of(line, line)))
                .isEqualTo(new ColorsCodec.Reading(ChannelColors.none(), 0));
    }

    private static String others(int count) {
        return IntStream.range(0, count).mapToObj(i -> "key" + i + "=value" + i).collect(Collectors.joining(","));
    }

    private static ChannelColors colors(String channel, Color color) {
        return ChannelColors.of(Map.of(channel, color));
    }

    private static ChannelColors colors(String channel, Color color, String other, Color otherColor) {
        return ChannelColors.of(Map.of(channel, color, other, otherColor));
    }
}
