package io.sluice.core.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.testing.Requirement;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("B6")
class DetectorTest {
    private static final double ROUNDING = 1e-12;
    private static final Tick HEALTHY = new Tick(50, 1, 450, 9);
    private static final Tick BROKEN = new Tick(50, 10, 450, 9);

    @ParameterizedTest(name = "horizon {0}")
    @ValueSource(longs = {1, 2, 200, 259_200})
    void theOddsAtTheStartAreAHalf(long horizon) {
        assertThat(Detector.start(horizon).evidence()).isCloseTo(0.5, within(1e-9));
    }

    /** All that can happen in one tick, weighed with its chance: the proof of docs/guard.md in numbers. */
    @ParameterizedTest(name = "{0} of canary at {1}, {2} of stable at {3}")
    @CsvSource({
        "1, 0.5, 1, 0.5",
        "1, 1, 9, 1",
        "5, 0.01, 12, 0.01",
        "12, 0.2, 12, 0.2",
        "3, 0.9, 12, 0.9",
        "12, 0.05, 3, 0.3",
        "7, 0, 7, 0.001",
        "12, 0.299, 1, 0.3"
    })
    void aTickOfACanaryThatIsNoWorseIsExpectedToBeNoEvidence(
            int canary, double canaryRate, int stable, double stableRate) {
        for (int ratio = 0; ratio < Detector.RATIOS.size(); ratio++) {
            assertThat(expected(canary, canaryRate, stable, stableRate, ratio)).isLessThanOrEqualTo(1 + ROUNDING);
        }
    }

    @Test
    void aTickOfAWorseCanaryIsExpectedToBeEvidence() {
        assertThat(expected(12, 0.3, 12, 0.1, Detector.RATIOS.indexOf(3.0))).isGreaterThan(1.1);
    }

    /** R and the renewals that are still to come, together, never grow in expectation. */
    @Test
    void theBudgetOfTwoHorizonsHoldsAtEachTick() {
        assertThat(expectedR(Detector.start(4), 1)).isLessThanOrEqualTo(4 + 1 + ROUNDING);
        assertThat(expectedR(Detector.start(4), 2)).isLessThanOrEqualTo(4 + 2 + ROUNDING);
        assertThat(expectedR(Detector.start(4), 4)).isLessThanOrEqualTo(2 * 4);
    }

    @ParameterizedTest(name = "horizon {0}")
    @ValueSource(longs = {1, 2, 3, 50, 201})
    void allRenewalsTogetherAreNoMoreThanTheHorizon(long horizon) {
        Detector detector = Detector.start(horizon);
        for (int i = 0; i < 200_000; i++) {
            detector = detector.after(Tick.NOTHING);
        }

        assertThat(detector.evidence()).isBetween(0.5, 1.0);
    }

    @Test
    void untilHalfOfTheHorizonEachTickAddsOne() {
        Detector detector = Detector.start(200);
        for (int i = 0; i < 100; i++) {
            detector = detector.after(Tick.NOTHING);
        }

        assertThat(detector.evidence()).isCloseTo(0.75, within(1e-9));
    }

    @ParameterizedTest(name = "a break after {0} healthy ticks is seen within {1}")
    @CsvSource({"0, 2", "100, 3", "200, 3", "2000, 4", "20000, 5"})
    void aLateBreakIsSeenHoweverLongAStageLasts(int healthy, int within) {
        Detector detector = Detector.start(200);
        for (int i = 0; i < healthy; i++) {
            detector = detector.after(HEALTHY);
        }
        assertThat(detector.isWorse(0.001)).isFalse();

        for (int i = 0; i < within; i++) {
            detector = detector.after(BROKEN);
        }

        assertThat(detector.isWorse(0.001)).isTrue();
    }

    @Test
    void whatHappensOnOneLaneAloneIsNoEvidence() {
        Detector detector = Detector.restore(Collections.nCopies(6, 0.0), 1, 1);

        assertThat(detector.after(new Tick(50, 50, 0, 0)).logs()).allMatch(log -> Math.abs(log) < 1e-9);
        assertThat(detector.after(new Tick(0, 0, 50, 50)).logs()).allMatch(log -> Math.abs(log) < 1e-9);
    }

    @Test
    void bothLanesBrokenAlikeIsNoAlarm() {
        Detector detector = Detector.start(200);
        for (int i = 0; i < 200; i++) {
            detector = detector.after(new Tick(100, 60, 900, 540));
            assertThat(detector.evidence()).isLessThan(1);
        }
    }

    @Test
    void thirtyPercentOfErrorsAreSeenInTheFirstTick() {
        assertThat(Detector.start(200).after(new Tick(50, 15, 450, 2)).isWorse(0.01 / 20))
                .isTrue();
    }

    @Test
    void whatWasNeverSavedIsNotRestored() {
        List<Double> logs = Collections.nCopies(6, 1.0);

        assertThatThrownBy(() -> Detector.restore(List.of(1.0), 5, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Detector.restore(Collections.nCopies(6, Double.NaN), 5, 0))
                .hasMessageContaining("NaN");
        assertThatThrownBy(() -> Detector.restore(logs, 0, 0)).hasMessageContaining("horizon 0");
        assertThatThrownBy(() -> Detector.restore(logs, 5, -1)).hasMessageContaining("ticks -1");
        assertThatThrownBy(() -> Detector.start(0)).hasMessageContaining("horizon was 0");
    }

    private static double expected(int canary, double canaryRate, int stable, double stableRate, int ratio) {
        Detector neutral = Detector.restore(Collections.nCopies(6, 0.0), 1, 1);
        double sum = 0;
        for (int canaryBad = 0; canaryBad <= canary; canaryBad++) {
            for (int stableBad = 0; stableBad <= stable; stableBad++) {
                double log = neutral.after(new Tick(canary, canaryBad, stable, stableBad))
                        .logs()
                        .get(ratio);
                sum += Chances.binomial(canary, canaryBad, canaryRate)
                        * Chances.binomial(stable, stableBad, stableRate)
                        * Math.exp(log);
            }
        }
        return sum;
    }

    /** Of the mean R, over all that can happen in so many ticks with 1 on canary and 3 on stable, one in five bad. */
    private static double expectedR(Detector detector, int ticks) {
        if (ticks == 0) {
            return detector.evidence() * 2 * detector.horizon();
        }
        double sum = 0;
        for (int canaryBad = 0; canaryBad <= 1; canaryBad++) {
            for (int stableBad = 0; stableBad <= 3; stableBad++) {
                double chance = Chances.binomial(1, canaryBad, 0.2) * Chances.binomial(3, stableBad, 0.2);
                sum += chance * expectedR(detector.after(new Tick(1, canaryBad, 3, stableBad)), ticks - 1);
            }
        }
        return sum;
    }
}
