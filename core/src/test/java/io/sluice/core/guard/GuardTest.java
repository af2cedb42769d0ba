package io.sluice.core.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.observation.SampleTally;
import io.sluice.core.observation.Tally;
import io.sluice.core.problem.RefusedException;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardTest {
    private static final Duration LIMIT = Duration.ofMillis(300);
    private static final Guard GUARD = new Guard(limits(100, "2%"));

    @Requirement({"B1", "B2", "F29"})
    @ParameterizedTest(name = "{0} requests, {1} failed, {2} us: {3} {4}")
    @CsvSource({
        "0, 0, 0, HOLD, no_data",
        "1, 1, 10000, HOLD, insufficient_samples",
        "99, 99, 900000, HOLD, insufficient_samples",
        "100, 0, 10000, HEALTHY, healthy",
        "100, 2, 10000, HEALTHY, healthy",
        "100, 3, 10000, BREACH, error_rate=0.0300>0.0200",
        "50000, 1000, 10000, HEALTHY, healthy",
        "50000, 1001, 10000, BREACH, error_rate=0.020020>0.020000",
        "3000000, 60001, 10000, BREACH, error_rate=0.020000333>0.020000000",
        "100, 0, 300000, HEALTHY, healthy",
        "100, 0, 300001, BREACH, p99=301ms>300ms",
        "100, 0, 512000, BREACH, p99=512ms>300ms",
        "100, 3, 900000, BREACH, error_rate=0.0300>0.0200"
    })
    void aLimitThatIsMetPassesAndOneMoreBreaches(long count, long failed, long micros, Health health, String reason) {
        Tally tally = SampleTally.of(count, failed, Duration.ofNanos(micros * 1_000), LIMIT);

        Verdict verdict = GUARD.judge(tally, Duration.ZERO);

        assertThat(verdict.health()).isEqualTo(health);
        assertThat(verdict.reason()).isEqualTo(reason);
        assertThat(verdict.samples()).isEqualTo(count);
        assertThat(verdict.failures()).isEqualTo(failed);
    }

    @Requirement("F29")
    @Test
    void nothingIsTruncatedInFavourOfTheCanary() {
        Guard tenBasisPoints = new Guard(limits(100, "0.1%"));
        Tally tenPointNine = SampleTally.of(100_000, 109, Duration.ofMillis(10), LIMIT);
        Tally ten = SampleTally.of(100_000, 100, Duration.ofMillis(10), LIMIT);

        assertThat(tenBasisPoints.judge(tenPointNine, Duration.ZERO).health()).isEqualTo(Health.BREACH);
        assertThat(tenBasisPoints.judge(ten, Duration.ZERO).health()).isEqualTo(Health.HEALTHY);
    }

    @Requirement("L3")
    @Test
    void absenceIsNeverHealth() {
        Guard guard = new Guard(limits(30, "2%"));
        Tally few = SampleTally.of(29, 0, Duration.ofMillis(10), LIMIT);
        Tally enough = SampleTally.of(30, 0, Duration.ofMillis(10), LIMIT);

        assertThat(guard.judge(Tally.empty(), Duration.ZERO).describe()).isEqualTo("no_data");
        assertThat(guard.judge(few, Duration.ZERO).describe()).isEqualTo("insufficient_samples");
        assertThat(guard.judge(few, Duration.ofSeconds(31)).describe()).isEqualTo("data_stopped");
        assertThat(guard.judge(enough, Duration.ofSeconds(30)).health()).isEqualTo(Health.HEALTHY);
        assertThat(guard.judge(enough, Duration.ofSeconds(30).plusNanos(1)))
                .isEqualTo(new Verdict(
                        Health.HOLD,
                        "data_stopped",
                        "",
                        30,
                        0,
                        Duration.ofMillis(10).plusNanos(112_000)));
    }

    @Requirement("L3")
    @Test
    void aBreachIsABreachHoweverLongAgo() {
        Tally failing = SampleTally.of(100, 50, Duration.ofMillis(10), LIMIT);

        assertThat(GUARD.judge(failing, Duration.ofHours(1)).health()).isEqualTo(Health.BREACH);
    }

    @Requirement("B3")
    @Test
    void aVerdictKeepsTheNumbersItWasMadeFrom() {
        Tally failing = SampleTally.of(50_000, 3_000, Duration.ofMillis(20), LIMIT);

        Verdict verdict =
                GUARD.judge(failing, Duration.ofMillis(20), Duration.ZERO).about("order");

        assertThat(verdict)
                .isEqualTo(new Verdict(
                        Health.BREACH, "error_rate=0.0600>0.0200", "order", 50_000, 3_000, Duration.ofMillis(20)));
        assertThat(verdict.describe()).isEqualTo("order: error_rate=0.0600>0.0200");
        assertThat(verdict.summary())
                .isEqualTo("BREACH order: error_rate=0.0600>0.0200 (samples=50000 errorRate=0.0600 p99=20ms)");
        assertThat(verdict.errorRate()).isEqualTo(0.06);
    }

    @Requirement("B3")
    @Test
    void aRateThatNoDecimalsCouldTellFromItsLimitIsShownAsAFraction() {
        long count = 1_000_000_000_000L;
        Tally tally = new Tally(count, count / 50 + 1, 0, new TreeMap<>(Map.of(10, count)));

        assertThat(GUARD.judge(tally, Duration.ZERO).reason()).isEqualTo("error_rate=20000000001/1000000000000>0.02");
    }

    @Test
    void aWindowIsWithinItsEnds() {
        assertThatThrownBy(() -> windowed(Duration.ofSeconds(9))).hasMessageStartingWith("window was 9s");
        assertThatThrownBy(() -> windowed(Duration.ofHours(25))).hasMessageStartingWith("window was ");
        assertThat(windowed(Duration.ofSeconds(10))).isNotNull();
        assertThat(windowed(Duration.ofHours(24))).isNotNull();
        assertThat(limits(1, "1").window()).isZero();
    }

    @Test
    void ofTwoVerdictsTheWorseStandsAndOfTwoAlikeTheFirst() {
        Verdict healthy = verdict(Health.HEALTHY, "a");
        Verdict hold = verdict(Health.HOLD, "b");
        Verdict breach = verdict(Health.BREACH, "c");

        assertThat(healthy.worse(hold)).isSameAs(hold);
        assertThat(hold.worse(healthy)).isSameAs(hold);
        assertThat(hold.worse(breach)).isSameAs(breach);
        assertThat(breach.worse(verdict(Health.BREACH, "d"))).isSameAs(breach);
    }

    @Test
    void everyLimitOutOfBoundsIsNamed() {
        ErrorRate anything = ErrorRate.parse("1");

        assertThatThrownBy(() -> new Thresholds(0, anything, Duration.ZERO, Duration.ofHours(2)))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.problems())
                                .extracting("path")
                                .containsExactly("minSamples", "maxP99", "maxSilence"));
        assertThat(new Thresholds(1, anything, Duration.ofMillis(1), Duration.ofSeconds(1)))
                .isNotNull();
        assertThat(new Thresholds(1_000_000_000, anything, Duration.ofMinutes(10), Duration.ofHours(1)))
                .isNotNull();
    }

    private static Thresholds limits(long minSamples, String maxErrorRate) {
        return new Thresholds(minSamples, ErrorRate.parse(maxErrorRate), LIMIT, Thresholds.DEFAULT_SILENCE);
    }

    private static Thresholds windowed(Duration window) {
        return new Thresholds(1, ErrorRate.parse("1"), LIMIT, Thresholds.DEFAULT_SILENCE, window);
    }

    private static Verdict verdict(Health health, String reason) {
        return new Verdict(health, reason, "", 1, 0, Duration.ZERO);
    }
}
