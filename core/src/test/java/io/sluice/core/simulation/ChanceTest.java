package io.sluice.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChanceTest {
    private static final int DRAWS = 40_000;

    @ParameterizedTest(name = "{0} trials at {1}")
    @CsvSource({"1, 0.3", "50, 0.02", "1000, 0.005", "1000, 0.9", "100000, 0.1", "1000000, 0.5"})
    void binomialHasItsMeanAndItsVariance(long n, double p) {
        assertMoments(chance -> chance.binomial(n, p), n * p, n * p * (1 - p));
    }

    @Test
    void binomialKnowsItsEnds() {
        Chance chance = Chance.of(1, 1);

        assertThat(chance.binomial(0, 0.5)).isZero();
        assertThat(chance.binomial(10, 0)).isZero();
        assertThat(chance.binomial(10, 1)).isEqualTo(10);
    }

    @ParameterizedTest(name = "beta {0}, {1}")
    @CsvSource({"0.095, 18.9", "1, 1", "5, 2"})
    void betaHasItsMeanAndItsVariance(double a, double b) {
        double mean = a / (a + b);
        assertMoments(chance -> chance.beta(a, b), mean, mean * (1 - mean) / (a + b + 1));
    }

    @Test
    void poissonHasItsMeanAndItsVariance() {
        assertMoments(chance -> chance.poisson(0.495), 0.495, 0.495);
    }

    @Test
    void paretoHasItsMedian() {
        Chance chance = Chance.of(1, 1);

        double[] draws =
                DoubleStream.generate(() -> chance.pareto(1.3)).limit(DRAWS).toArray();

        assertThat(Delays.of(draws).median()).isCloseTo(Math.pow(2, 1 / 1.3), within(0.02));
    }

    /** Within six standard errors; that of the variance is taken as large as distributions like these have it. */
    private static void assertMoments(ToDoubleFunction<Chance> draw, double mean, double variance) {
        Chance chance = Chance.of(1, 1);

        double[] draws = DoubleStream.generate(() -> draw.applyAsDouble(chance))
                .limit(DRAWS)
                .toArray();

        double sampleMean = DoubleStream.of(draws).average().orElseThrow();
        double sampleVariance = DoubleStream.of(draws)
                .map(each -> (each - sampleMean) * (each - sampleMean))
                .average()
                .orElseThrow();
        assertThat(sampleMean).isCloseTo(mean, within(6 * Math.sqrt(variance / DRAWS)));
        assertThat(sampleVariance).isCloseTo(variance, within(0.12 * variance));
    }
}
