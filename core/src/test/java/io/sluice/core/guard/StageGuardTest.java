package io.sluice.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.decision.Lane;
import io.sluice.core.decision.Percent;
import io.sluice.core.observation.SampleLane;
import io.sluice.core.observation.SampleTally;
import io.sluice.core.observation.Tally;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Requirement({"B1", "B4", "B7"})
class StageGuardTest {
    private static final double ALPHA = 0.0005;
    private static final Duration NOW = Duration.ZERO;
    private static final Duration LONG_AGO = Duration.ofSeconds(31);
    private static final Crowd AS_ASKED = new Crowd(100, 900, 1_000);
    private static final Crowd MISMATCH = new Crowd(400, 600, 1_000);
    private static final Tick BROKEN = new Tick(100, 20, 900, 10);
    private static final Tick FINE = new Tick(100, 1, 900, 9);

    private static final Tally NONE = Tally.empty();
    private static final Tally FEW = tally(29, 0, 10);
    private static final Tally GOOD = tally(100, 0, 10);
    private static final Tally FAILING = tally(100, 3, 10);
    private static final Tally SLOW = tally(100, 0, 400);

    /** Everything wrong that comes later in the order is wrong too. */
    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource
    void theFirstReasonOfTheOrderStands(String reason, Health health, Seen seen) {
        Verdict verdict = guard(30, false, Baseline.DEFAULT, "10", true).judge("order", seen);

        assertThat(verdict.health()).isEqualTo(health);
        assertThat(verdict.reason()).startsWith(reason);
        assertThat(verdict.service()).isEqualTo("order");
    }

    static Stream<Arguments> theFirstReasonOfTheOrderStands() {
        return Stream.of(
                Arguments.of(
                        "error_rate=0.0300>0.0200", Health.BREACH, seen(FAILING, LONG_AGO, NONE, BROKEN, MISMATCH)),
                Arguments.of("p99=398ms>300ms", Health.BREACH, seen(SLOW, LONG_AGO, NONE, BROKEN, MISMATCH)),
                Arguments.of("errors x18.0 of stable", Health.BREACH, seen(GOOD, LONG_AGO, NONE, BROKEN, MISMATCH)),
                Arguments.of("errors x18.0 of stable", Health.BREACH, seen(NONE, NOW, NONE, BROKEN, MISMATCH)),
                Arguments.of("no_data", Health.HOLD, seen(NONE, LONG_AGO, NONE, FINE, MISMATCH)),
                Arguments.of("data_stopped", Health.HOLD, seen(FEW, LONG_AGO, NONE, FINE, MISMATCH)),
                Arguments.of("data_stopped", Health.HOLD, seen(GOOD, LONG_AGO, NONE, FINE, MISMATCH)),
                Arguments.of("insufficient_samples", Health.HOLD, seen(FEW, NOW, NONE, FINE, MISMATCH)),
                Arguments.of("no_baseline", Health.HOLD, seen(GOOD, NOW, NONE, FINE, MISMATCH)),
                Arguments.of("sample_ratio_mismatch", Health.HOLD, seen(GOOD, NOW, GOOD, FINE, MISMATCH)),
                Arguments.of("healthy", Health.HEALTHY, seen(GOOD, NOW, GOOD, FINE, AS_ASKED)),
                Arguments.of("healthy", Health.HEALTHY, seen(GOOD, NOW, GOOD, FINE, Crowd.NOBODY)));
    }

    @Requirement({"L3", "F26"})
    @Test
    void noneThenThirtyThenNoneIsNoReasonToGoOn() {
        StageGuard guard = guard(100, false, Baseline.DEFAULT, "10", true);
        Thresholds limits = limits(Duration.ofSeconds(60));
        StageWatch watch = StageWatch.start(StageWatch.Settings.of(Duration.ofMinutes(3), limits), 0);

        List<String> reasons = new ArrayList<>();
        reasons.add(guard.judge("order", watch.look(1)).describe());
        watch.add("a", Lane.CANARY, SampleLane.of(0, 30, customer -> false), 2);
        reasons.add(guard.judge("order", watch.look(3)).describe());
        reasons.add(guard.judge("order", watch.look(seconds(32))).describe());
        // By now the window is empty.
        reasons.add(guard.judge("order", watch.look(seconds(100))).describe());

        assertThat(reasons)
                .containsExactly(
                        "order: no_data", "order: insufficient_samples", "order: data_stopped", "order: data_stopped");
    }

    @Requirement("F28")
    @Test
    void aWindowThatRanEmptyIsTooFewSamplesAsLongAsTheCanaryIsNotSilent() {
        Seen seen = new Seen(NONE, GOOD, GOOD, NOW, NOW, List.of(), AS_ASKED);

        assertThat(guard(30, false, Baseline.DEFAULT, "10", true)
                        .judge("order", seen)
                        .reason())
                .isEqualTo("insufficient_samples");
    }

    @Test
    void aStageMayAskForMoreSamplesThanTheGuard() {
        StageGuard guard = guard(101, false, Baseline.DEFAULT, "10", true);

        assertThat(guard.judge("order", seen(GOOD, NOW, GOOD, FINE, AS_ASKED)).reason())
                .isEqualTo("insufficient_samples");
        assertThat(guard.judge("order", seen(GOOD, NOW, NONE, FINE, AS_ASKED)).reason())
                .isEqualTo("insufficient_samples");
    }

    @Test
    void atThePaceOfTheEvidenceTheLimitMustBeShownToBeKept() {
        StageGuard guard = guard(30, true, Baseline.DEFAULT, "10", true);
        Tally shown = tally(300, 0, 10);

        assertThat(guard.judge("order", seen(GOOD, NOW, GOOD, FINE, AS_ASKED)).reason())
                .isEqualTo("insufficient_samples");
        assertThat(guard.judge("order", seen(shown, NOW, GOOD, FINE, AS_ASKED)).health())
                .isEqualTo(Health.HEALTHY);
    }

    @Requirement("B7")
    @Test
    void aStableLaneThatStoppedIsNoBaseline() {
        Seen seen = new Seen(GOOD, GOOD, GOOD, NOW, LONG_AGO, List.of(), AS_ASKED);

        assertThat(guard(30, false, Baseline.DEFAULT, "10", true)
                        .judge("order", seen)
                        .reason())
                .isEqualTo("no_baseline");
        assertThat(guard(30, false, Baseline.OFF, "10", true)
                        .judge("order", seen)
                        .health())
                .isEqualTo(Health.HEALTHY);
    }

    @Test
    void aStableLaneThatTellsOfNoCustomersIsNoBaselineWhereTheShareIsNotLeftToChance() {
        Seen seen = seen(GOOD, NOW, GOOD, FINE, new Crowd(50, 0, 1_000));

        assertThat(guard(30, false, Baseline.DEFAULT, "10", false)
                        .judge("order", seen)
                        .reason())
                .isEqualTo("no_baseline");
    }

    @ParameterizedTest(name = "at {0} %")
    @CsvSource({"0", "100"})
    void whereNobodyIsLeftToCompareWithTheLimitsAloneJudge(String percent) {
        StageGuard guard = guard(30, false, Baseline.DEFAULT, percent, true);

        Verdict verdict = guard.judge("order", seen(GOOD, NOW, NONE, BROKEN, MISMATCH));

        assertThat(verdict.health()).isEqualTo(Health.HEALTHY);
        assertThat(verdict.findings()).isEmpty();
        assertThat(guard.judge("order", seen(FAILING, NOW, NONE, FINE, MISMATCH))
                        .health())
                .isEqualTo(Health.BREACH);
    }

    @ParameterizedTest(name = "{0}: {1}, {2} of {3} requests")
    @CsvSource({
        "an instance at 400 %, 10, 400, 600, 1000, sample_ratio_mismatch",
        "a lost adapter, 10, 0, 1000, 1000, sample_ratio_mismatch",
        "a constant key, 50, 0, 1, 5000, sample_ratio_mismatch",
        "as asked, 10, 104, 896, 1000, healthy"
    })
    void theShareMustBeTheOneThatWasAsked(
            String what, String percent, long canary, long stable, long requests, String reason) {
        Seen seen = seen(GOOD, NOW, GOOD, FINE, new Crowd(canary, stable, requests));

        Verdict verdict = guard(30, false, Baseline.DEFAULT, percent, true).judge("order", seen);

        assertThat(verdict.reason()).isEqualTo(reason);
    }

    @Test
    void theShareIsNoMatterWhereRulesPlaceCustomers() {
        Verdict verdict =
                guard(30, false, Baseline.DEFAULT, "10", false).judge("order", seen(GOOD, NOW, GOOD, FINE, MISMATCH));

        assertThat(verdict.health()).isEqualTo(Health.HEALTHY);
        assertThat(verdict.findings()).noneMatch(finding -> finding.metric().equals(StageGuard.SAMPLE_RATIO));
    }

    @Test
    void aMismatchIsSaidInNumbers() {
        Verdict verdict =
                guard(30, false, Baseline.DEFAULT, "10", true).judge("order", seen(GOOD, NOW, GOOD, FINE, MISMATCH));

        assertThat(verdict.findings().get(1).reason())
                .isEqualTo("canary has 400 of 1000 customers, 40.00% where 10% is asked");
        assertThat(verdict.findings().get(1).health()).isEqualTo(Health.HOLD);
    }

    @Test
    void whatIsNotCriticalIsOnlyShown() {
        Baseline slowOnly = new Baseline(Alpha.DEFAULT, Set.of(Compared.SLOW));

        Verdict verdict =
                guard(30, false, slowOnly, "10", true).judge("order", seen(GOOD, NOW, GOOD, BROKEN, AS_ASKED));

        assertThat(verdict.health()).isEqualTo(Health.HEALTHY);
        assertThat(verdict.findings().get(0).health()).isEqualTo(Health.BREACH);
        assertThat(verdict.findings().get(0).critical()).isFalse();
    }

    @Test
    void anObjectiveOfItsOwnLeavesTheHardLimitWhereItIs() {
        Baseline near = new Baseline(Alpha.DEFAULT, Set.of(Compared.ERRORS), Duration.ofMillis(5));
        // Counted as slow by the objective, all of them; a bucket has its edge within 3.2 % above the limit.
        long limit = SampleLane.LIMIT.toMillis();
        Tally under = SampleTally.of(100, 0, Duration.ofMillis(limit), Duration.ofMillis(5));
        Tally over = SampleTally.of(100, 0, Duration.ofMillis(limit * 104 / 100), Duration.ofMillis(5));

        assertThat(guard(30, false, near, "10", true)
                        .judge("order", seen(under, NOW, GOOD, FINE, AS_ASKED))
                        .health())
                .isEqualTo(Health.HEALTHY);
        assertThat(guard(30, false, near, "10", true)
                        .judge("order", seen(over, NOW, GOOD, FINE, AS_ASKED))
                        .reason())
                .startsWith("p99=");
    }

    @Requirement("B7")
    @Test
    void aCanaryThatHangsIsOverTheHardLimitWhateverTheObjective() {
        Baseline near = new Baseline(Alpha.DEFAULT, Set.of(Compared.ERRORS), Duration.ofMillis(5));
        StageWatch watch = StageWatch.start(StageWatch.Settings.of(Duration.ofMinutes(3), limits(Duration.ZERO)), 0);
        watch.add("a", Lane.STABLE, SampleLane.of(0, 1_000, customer -> false), 1);
        watch.add("b", Lane.CANARY, SampleLane.of(1_000, 1_100, customer -> false), 1);
        StageGuard guard = guard(30, false, near, "10", true);

        Verdict before = guard.judge("order", watch.look(2));
        watch.add("b", Lane.CANARY, SampleLane.overdue(50), 3);

        assertThat(before.health()).isEqualTo(Health.HEALTHY);
        assertThat(guard.judge("order", watch.look(4)).reason())
                .startsWith("p99=")
                .endsWith("ms>300ms");
    }

    @Requirement("B3")
    @Test
    void aBreachCarriesTheNumbersThatDecided() {
        Verdict verdict =
                guard(30, false, Baseline.DEFAULT, "10", true).judge("order", seen(GOOD, NOW, GOOD, BROKEN, AS_ASKED));

        Finding errors = verdict.findings().get(0);
        assertThat(verdict.reason())
                .isEqualTo("errors x18.0 of stable, evidence over a billion >= 2000 (canary 20/100, stable 10/900)");
        assertThat(errors.value()).isGreaterThan(errors.limit());
        assertThat(errors.limit()).isEqualTo(2000);
        assertThat(errors.counts()).isEqualTo(BROKEN);
    }

    @ParameterizedTest(name = "{0} of {1} and {2} of {3}: {4}")
    @CsvSource({
        "100, 1000, 0, 9000, where stable has none",
        "9000, 100000, 60000, 900000, x1.35 of stable",
        "9000000000000, 9000000000000, 1, 900000000000000000, >= 2000 (canary 9000000000000/9000000000000"
    })
    void aReasonIsReadableWhateverTheNumbers(
            long canaryBad, long canary, long stableBad, long stable, String expected) {
        Seen seen = seen(GOOD, NOW, GOOD, new Tick(canary, canaryBad, stable, stableBad), AS_ASKED);

        Verdict verdict = guard(30, false, Baseline.DEFAULT, "10", true).judge("order", seen);

        assertThat(verdict.health()).isEqualTo(Health.BREACH);
        assertThat(verdict.reason())
                .contains(expected)
                .doesNotContain("Infinity")
                .hasSizeLessThan(200);
    }

    @Requirement({"B8", "F26"})
    @Test
    void aSourceThatFailsHoldsAndOneThatAccusesBreaches() {
        Finding healthy = finding(Health.HEALTHY, true, "3 <= 5");
        Finding failing = finding(Health.HOLD, true, "HTTP 500");
        Finding breach = finding(Health.BREACH, true, "7 > 5");
        Finding shown = finding(Health.BREACH, false, "9 > 5");

        assertThat(StageGuard.of("metrics", List.of()).health()).isEqualTo(Health.HEALTHY);
        assertThat(StageGuard.of("metrics", List.of(healthy, shown)).health()).isEqualTo(Health.HEALTHY);
        assertThat(StageGuard.of("metrics", List.of(healthy, failing)).reason()).isEqualTo("source_error");
        assertThat(StageGuard.of("metrics", List.of(failing, breach)).reason()).isEqualTo("7 > 5");
    }

    private static StageGuard guard(
            long samples, boolean clearance, Baseline baseline, String percent, boolean byChance) {
        return new StageGuard(
                limits(Duration.ZERO), samples, clearance, baseline, ALPHA, Percent.parse(percent), byChance);
    }

    private static Thresholds limits(Duration window) {
        return new Thresholds(30, ErrorRate.parse("2%"), SampleLane.LIMIT, Thresholds.DEFAULT_SILENCE, window);
    }

    private static Seen seen(Tally canary, Duration silence, Tally stable, Tick errors, Crowd crowd) {
        Comparison comparison = Comparison.start(Compared.ERRORS, 200).after(errors);
        return new Seen(canary, canary, stable, silence, Duration.ZERO, List.of(comparison), crowd);
    }

    private static Tally tally(long count, long failed, long millis) {
        return SampleTally.of(count, failed, Duration.ofMillis(millis), SampleLane.LIMIT);
    }

    private static Finding finding(Health health, boolean critical, String reason) {
        return new Finding("metrics", "lag", critical, health, reason, Tick.NOTHING, 0, 0);
    }

    private static long seconds(long seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }
}
