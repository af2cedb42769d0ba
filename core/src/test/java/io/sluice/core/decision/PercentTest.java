package io.sluice.core.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import io.sluice.testing.Requirement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("A3")
class PercentTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "0, 0",
        "1, 100",
        "49, 4900",
        "50, 5000",
        "99, 9900",
        "100, 10000",
        "100.00, 10000",
        "0.01, 1",
        "0.1, 10",
        "0.10, 10",
        "33.33, 3333",
        "99.99, 9999",
        "007, 700",
        "0.00, 0"
    })
    void readsUpToTwoDecimals(String text, int basisPoints) {
        assertThat(Percent.parse(text).basisPoints()).isEqualTo(basisPoints);
    }

    @ParameterizedTest(name = "[{0}]")
    @ValueSource(
            strings = {
                "NaN",
                "Infinity",
                "-1",
                "-0",
                "101",
                "100.01",
                "999",
                "1000",
                "2147483648",
                "1e999",
                "1e1",
                "",
                " ",
                " 10",
                "10 ",
                "+10",
                "0x1",
                "10d",
                "10f",
                "10%",
                "1,5",
                ".5",
                "5.",
                "1.",
                "33.333",
                "0.001",
                "100.000",
                "null",
                "١٠",
                "１０",
                "1_0",
                "10\n"
            })
    void refusesEverythingElse(String text) {
        assertThatThrownBy(() -> Percent.parse(text))
                .isInstanceOf(RefusedException.class)
                .hasMessageStartingWith("percent was ")
                .hasMessageEndingWith(", but must be within 0..100 with at most two decimals");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {-1, 101, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void refusesNumbersOutsideTheEnds(int percent) {
        assertThatThrownBy(() -> Percent.of(percent))
                .hasMessage("percent was " + percent + ", but must be within 0..100 with at most two decimals");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"-1, -0.01", "10001, 100.01"})
    void refusesBasisPointsOutsideTheEnds(int basisPoints, String shown) {
        assertThatThrownBy(() -> new Percent(basisPoints)).hasMessageStartingWith("percent was " + shown);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"0, 0%", "10, 10%", "0.5, 0.5%", "33.33, 33.33%", "100, 100%"})
    void isWrittenWithoutNeedlessZeros(String text, String written) {
        assertThat(Percent.parse(text)).hasToString(written);
    }
}
