package io.sluice.core.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.core.decision.Percent;
import io.sluice.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement({"B6", "B7"})
class SampleRatioTest {
    /** What one of 5 stages with one service, the edges and two comparisons may spend of 1 %. */
    private static final double ALPHA = 0.01 / 20;

    @ParameterizedTest(name = "{0}!")
    @CsvSource({
        "0, 0",
        "1, 0",
        "2, 0.6931471805599453",
        "5, 4.787491742782046",
        "9, 12.801827480081469",
        "10, 15.104412573075516",
        "100, 363.73937555556347",
        "170, 706.5730622457874"
    })
    void gammaIsKnownAtWholeNumbers(double n, double logOfFactorial) {
        assertThat(SampleRatio.logGamma(n + 1)).isCloseTo(logOfFactorial, within(1e-9));
    }

    @Test
    void gammaIsKnownAtAHalf() {
        assertThat(SampleRatio.logGamma(1.5)).isCloseTo(Math.log(Math.sqrt(Math.PI) / 2), within(1e-9));
    }

    /** All that chance may do with the next customers, weighed; at the asked share and at both ends of the tolerance. */
    @ParameterizedTest(name = "{0} asked, {1} given")
    @CsvSource({
        "50, 0.5",
        "50, 0.375",
        "50, 0.625",
        "10, 0.1",
        "10, 0.075",
        "10, 0.125",
        "1, 0.01",
        "99, 0.99",
        "99, 0.9875",
        "0.01, 0.0001"
    })
    void noEvidenceIsExpectedWhereTheShareIsRight(String asked, double given) {
        for (int customers : new int[] {1, 2, 10, 100}) {
            double sum = 0;
            for (int canary = 0; canary <= customers; canary++) {
                double evidence = SampleRatio.evidence(Percent.parse(asked), new Crowd(canary, customers - canary, 0));
                sum += Chances.weighed(Chances.binomial(customers, canary, given), evidence);
            }
            assertThat(sum).isLessThanOrEqualTo(1 + 1e-9);
        }
    }

    @ParameterizedTest(name = "{0} asked, {1} of {2} on canary: {3}")
    @CsvSource({
        // As asked, and off by as much as the counts may be.
        "10, 0, 0, false",
        "10, 1, 1, false",
        "10, 10000, 100000, false",
        "10, 10700, 100000, false",
        "99, 99000, 100000, false",
        "1, 0, 1000, false",
        // An instance at 400 %.
        "1, 40, 1000, true",
        "5, 40, 200, true",
        "10, 40, 100, true",
        // None at all.
        "1, 0, 2500, true",
        "10, 0, 250, true",
        "50, 0, 30, true",
        // Stable has twice or none of the little that is left to it.
        "99, 98000, 100000, true",
        "99, 100000, 100000, true",
        "50, 65000, 100000, true",
        "50, 35000, 100000, true"
    })
    void anotherShareThanAskedIsFound(String asked, long canary, long customers, boolean mismatch) {
        Crowd crowd = new Crowd(canary, customers - canary, customers);

        assertThat(SampleRatio.isMismatch(Percent.parse(asked), crowd, ALPHA)).isEqualTo(mismatch);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(longs = {1_000_000_000L, 1_000_000_000_000L})
    void noCrowdIsTooLarge(long customers) {
        Crowd right = new Crowd(customers / 10, customers - customers / 10, customers);
        Crowd wrong = new Crowd(customers / 2, customers / 2, customers);

        assertThat(SampleRatio.evidence(Percent.of(10), right)).isBetween(0.0, 1.0);
        assertThat(SampleRatio.evidence(Percent.of(10), wrong)).isEqualTo(Double.POSITIVE_INFINITY);
    }

    @Test
    void whereEverybodyOrNobodyIsAskedForAnyShareIsRight() {
        Crowd crowd = new Crowd(500, 500, 1_000);

        assertThat(SampleRatio.evidence(Percent.ZERO, crowd)).isZero();
        assertThat(SampleRatio.evidence(Percent.HUNDRED, crowd)).isZero();
    }

    @ParameterizedTest(name = "{1} requests of {0} customers: {2}")
    @CsvSource({"1, 999, false", "1, 1000, true", "9, 1000, true", "10, 1000000, false", "0, 1000000, false"})
    void manyRequestsOfFewCustomersAreAConstantKey(long customers, long requests, boolean constant) {
        assertThat(SampleRatio.isConstantKey(new Crowd(0, customers, requests))).isEqualTo(constant);
    }
}
