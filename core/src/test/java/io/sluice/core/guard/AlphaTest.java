package io.sluice.core.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import io.sluice.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("B6")
class AlphaTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource({"0.01, 10000", "1%, 10000", "0.000001, 1", "0.5, 500000", "50%, 500000", "0.1%, 1000"})
    void readsSharesAndPercentages(String text, int ppm) {
        assertThat(Alpha.parse(text).ppm()).isEqualTo(ppm);
    }

    @ParameterizedTest(name = "[{0}]")
    @ValueSource(
            strings = {"", "0", "0%", "1", "100%", "0.51", "NaN", "-0.01", "1e-2", "Infinity", "0.0000001", "5e-324"})
    void refusesWhatIsNoChance(String text) {
        assertThatThrownBy(() -> Alpha.parse(text))
                .isInstanceOf(RefusedException.class)
                .hasMessage("alpha was " + (text.isEmpty() ? "empty" : text)
                        + ", but must be within 0.000001..0.5, like 0.01 or 1%, at most six decimals");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {-1, 0, 500_001})
    void refusesMillionthsOutsideTheEnds(int ppm) {
        assertThatThrownBy(() -> new Alpha(ppm)).hasMessageStartingWith("alpha was " + ppm + " ppm");
    }

    @Test
    void isSharedAndWritten() {
        assertThat(Alpha.DEFAULT.share(20)).isEqualTo(0.0005);
        assertThat(Alpha.DEFAULT).hasToString("1%");
        assertThat(Alpha.DEFAULT.fraction()).isEqualTo("0.01");
    }
}
