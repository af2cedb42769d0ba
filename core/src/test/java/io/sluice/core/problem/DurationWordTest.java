package io.sluice.core.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationWordTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "PT0S, 0s",
        "PT0.000000001S, 1ms",
        "PT0.3S, 300ms",
        "PT59.999999999S, 1m",
        "PT90S, 90s",
        "PT30M, 30m",
        "PT1H, 1h",
        "PT90M, 90m",
        "PT48H, 2d",
        "PT-1S, -1s",
        "PT-0.000000001S, -1ms"
    })
    void aDurationIsInTheLargestUnitThatHoldsIt(Duration duration, String word) {
        assertThat(DurationWord.of(duration)).isEqualTo(word);
    }
}
