package io.sluice.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrequencyTest {
    /** None of n: 1 - 0.01^(1/n). The others by the quantiles of the beta distribution of k + 1 and n - k. */
    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource({
        "0, 1, 0.99",
        "0, 100, 0.045007",
        "5, 100, 0.125852",
        "16, 4000, 0.006997",
        "99, 100, 0.999900",
        "100, 100, 1",
    })
    void theUpperBoundIsThatOfClopperAndPearson(long events, long runs, double upper) {
        assertThat(new Frequency(events, runs).upper(0.99)).isCloseTo(upper, within(1e-5));
    }
}
