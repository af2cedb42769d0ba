package io.sluice.core.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import io.sluice.testing.Requirement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorRateTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "0, 0",
        "1, 1000000",
        "0.02, 20000",
        "2%, 20000",
        "0.000001, 1",
        "0.0001%, 1",
        "100%, 1000000",
        "0.10%, 1000",
        "0.5, 500000",
        "1.000000, 1000000",
        "0%, 0"
    })
    void readsSharesAndPercentages(String text, int ppm) {
        assertThat(ErrorRate.parse(text).ppm()).isEqualTo(ppm);
    }

    @ParameterizedTest(name = "[{0}]")
    @ValueSource(
            strings = {
                "",
                "NaN",
                "Infinity",
                "-0.01",
                "+0.01",
                "1.1",
                "2",
                "101%",
                "1e-2",
                "0x1",
                ".5",
                "0,5",
                "0.0000001",
                "0.00001%",
                "%",
                "2 %",
                "٢%",
                "0.02f",
                "null"
            })
    void refusesEverythingElse(String text) {
        assertThatThrownBy(() -> ErrorRate.parse(text))
                .isInstanceOf(RefusedException.class)
                .hasMessageStartingWith("maxErrorRate was ");
    }

    @Requirement({"B2", "F29"})
    @ParameterizedTest(name = "{0} of {1} against {2}: {3}")
    @CsvSource({
        "0, 0, 0, false",
        "0, 100, 0, false",
        "1, 1000000000, 0, true",
        "2, 100, 2%, false",
        "3, 100, 2%, true",
        "1, 50, 2%, false",
        "10, 10000, 0.1%, false",
        "109, 100000, 0.1%, true",
        "100001, 100000000, 0.1%, true",
        "100, 100, 100%, false",
        "9000000000000, 9000000000000, 1, false",
        "9000000000000, 9000000000000, 0.999999, true",
        "9300000000000, 9300000000000, 1, false",
        "9300000000000, 9300000000000, 0.999999, true",
        "1, 9223372036854775807, 0.000001, false",
        "9223372036854775807, 9223372036854775807, 1, false",
        "9223372036854775807, 9223372036854775807, 0.999999, true"
    })
    void onlyStrictlyMoreIsTooMany(long failed, long count, String limit, boolean exceeded) {
        assertThat(ErrorRate.parse(limit).isExceededBy(failed, count)).isEqualTo(exceeded);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"0.02, 2%, 0.02", "0, 0%, 0", "1, 100%, 1", "0.000001, 0.0001%, 0.000001"})
    void isWrittenAsPercentageAndFraction(String text, String percentage, String fraction) {
        assertThat(ErrorRate.parse(text)).hasToString(percentage);
        assertThat(ErrorRate.parse(text).fraction()).isEqualTo(fraction);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {-1, 1_000_001})
    void refusesMillionthsOutsideTheEnds(int ppm) {
        assertThatThrownBy(() -> new ErrorRate(ppm)).hasMessageStartingWith("maxErrorRate was " + ppm + " ppm");
    }
}
