package io.sluice.core.tag;

import static io.sluice.core.tag.Color.BLUE;
import static io.sluice.core.tag.Color.GREEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import io.sluice.testing.Requirement;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("E7")
class ChannelColorsTest {
    @Test
    void firstColorInAChannelStays() {
        ChannelColors colors = ChannelColors.none().with("trade", BLUE);

        assertThat(colors.with("trade", GREEN)).isSameAs(colors);
        assertThat(colors.with("user", GREEN).in("trade")).isEqualTo(BLUE);
        assertThat(colors.in("user")).isNull();
    }

    @Test
    void noColorsAreAlwaysTheSameValue() {
        assertThat(ChannelColors.of(Map.of())).isSameAs(ChannelColors.none());
        assertThat(ChannelColors.none().isEmpty()).isTrue();
        assertThat(ChannelColors.none().with("trade", BLUE).isEmpty()).isFalse();
    }

    @Test
    void whatItWasMadeOfDoesNotChangeIt() {
        Map<String, Color> made = new HashMap<>(Map.of("trade", BLUE));
        ChannelColors colors = ChannelColors.of(made);

        made.put("trade", GREEN);

        assertThat(colors.in("trade")).isEqualTo(BLUE);
        assertThat(colors).isEqualTo(ChannelColors.none().with("trade", BLUE)).hasToString("{trade=BLUE}");
        assertThatThrownBy(() -> colors.asMap().put("trade", GREEN)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void tagWithColorsAloneIsNotEmptyButHasAnEmptyHeader() {
        TrafficTag tag = TrafficTag.empty().withColors(ChannelColors.none().with("trade", BLUE));

        assertThat(tag.isEmpty()).isFalse();
        assertThat(TagCodec.format(tag)).isEmpty();
        assertThat(tag.withColors(tag.colors())).isSameAs(tag);
    }

    @ParameterizedTest
    @EnumSource(Color.class)
    void colorIsReadAsItIsWritten(Color color) {
        assertThat(Color.parse(color.label())).isEqualTo(color);
        assertThat(color.other().other()).isEqualTo(color).isNotEqualTo(color.other());
    }

    @ParameterizedTest(name = "[{0}]")
    @ValueSource(strings = {"", "red", "Blue", "GREEN", " blue", "blue ", "null"})
    void anythingElseIsNoColor(String text) {
        assertThatThrownBy(() -> Color.parse(text))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("must be blue or green");
    }
}
