package io.sluice.core.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.sluice.core.decision.Lane;
import io.sluice.core.observation.LaneTally;
import io.sluice.core.observation.SampleLane;
import io.sluice.core.observation.SampleTally;
import io.sluice.core.observation.Tally;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement({"B5", "B6"})
class StageWatchTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final LongPredicate NOBODY = customer -> false;
    private static final LongPredicate EVERYBODY = customer -> true;
    private static final StageWatch.Settings SETTINGS = settings(Duration.ZERO);

    private final StageWatch watch = StageWatch.start(SETTINGS, 0);

    @Requirement("F28")
    @Test
    void aStepStartsEmpty() {
        Seen seen = watch.look(SECOND / 2);

        assertThat(seen.window().count() + seen.canary().count() + seen.stable().count())
                .isZero();
        assertThat(seen.crowd()).isEqualTo(Crowd.NOBODY);
        assertThat(seen.comparisons())
                .hasSize(Compared.values().length)
                .allMatch(each -> each.counts().equals(Tick.NOTHING));
        assertThat(seen.silence()).isGreaterThan(Duration.ofDays(1));
        assertThat(seen.stableSilence()).isGreaterThan(Duration.ofDays(1));
    }

    @Test
    void aTickClosesWithFiftyCustomersAfterASecond() {
        canary(0, 60, 0, NOBODY);
        stable(1_000, 1_100, 0, NOBODY);

        assertThat(errors(watch.look(SECOND - 1)).detector().ticks()).isZero();
        assertThat(errors(watch.look(SECOND)).detector().ticks()).isEqualTo(1);
        assertThat((double) errors(watch.look(SECOND)).counts().canary()).isCloseTo(60, withinPercentage(5));
        assertThat((double) errors(watch.look(SECOND)).counts().stable()).isCloseTo(100, withinPercentage(5));
    }

    @Test
    void aTickWithFewCustomersClosesAfterTenTimesAsLong() {
        watch.look(SECOND);
        canary(SECOND, 40, 0, NOBODY);

        assertThat(errors(watch.look(11 * SECOND - 1)).detector().ticks()).isEqualTo(1);
        assertThat(errors(watch.look(11 * SECOND)).detector().ticks()).isEqualTo(2);
    }

    @Test
    void theFirstTickClosesWithFewCustomersToo() {
        canary(0, 40, 0, NOBODY);

        assertThat(errors(watch.look(SECOND - 1)).detector().ticks()).isZero();
        assertThat(errors(watch.look(SECOND)).detector().ticks()).isEqualTo(1);
    }

    @Test
    void aCustomerCountsOnceAStageHoweverOftenAnythingFails() {
        for (int tick = 1; tick <= 5; tick++) {
            canary(0, 100, tick, customer -> customer < 3);
            stable(1_000, 1_400, tick, customer -> customer < 1_004);
            watch.look(tick * SECOND);
        }

        Tick counts = errors(watch.look(6 * SECOND)).counts();
        assertThat(counts.canaryBad()).isEqualTo(3);
        assertThat(counts.stableBad()).isEqualTo(4);
        assertThat((double) counts.canary()).isCloseTo(500, withinPercentage(5));
    }

    @Test
    void aCustomerWhoFailedOnBothLanesCountsForStable() {
        canary(0, 100, 0, customer -> customer == 7);
        stable(0, 100, 0, customer -> customer == 7);
        watch.look(SECOND);
        canary(0, 100, SECOND, customer -> customer == 7 || customer == 8);

        Tick counts = errors(watch.look(2 * SECOND)).counts();

        assertThat(counts.stableBad()).isEqualTo(1);
        assertThat(counts.canaryBad()).isEqualTo(1);
    }

    @Test
    void eachAnonymousRequestCountsForItself() {
        watch.add("a", Lane.CANARY, SampleLane.anonymous(100, 5), 0);
        watch.add("a", Lane.STABLE, SampleLane.anonymous(200, 2), 0);
        watch.look(SECOND);
        watch.add("a", Lane.CANARY, SampleLane.anonymous(100, 5), SECOND);

        assertThat(errors(watch.look(2 * SECOND)).counts()).isEqualTo(new Tick(200, 10, 200, 2));
    }

    @Test
    void slowCustomersAreComparedLikeFailedOnes() {
        watch.add("a", Lane.CANARY, SampleLane.of(0, 100, NOBODY, customer -> customer < 9), 0);
        watch.add("a", Lane.STABLE, SampleLane.of(1_000, 1_900, NOBODY, customer -> customer < 1_004), 0);

        Seen seen = watch.look(SECOND);

        assertThat(comparison(seen, Compared.SLOW).counts().canaryBad()).isEqualTo(9);
        assertThat(comparison(seen, Compared.SLOW).counts().stableBad()).isEqualTo(4);
        assertThat(errors(seen).counts().canaryBad()).isZero();
    }

    /** More than is remembered one by one: the memory keeps a sample, and nobody in or outside of it comes up again. */
    @Test
    void anOutageOfManyCustomersCountsEachOnceAndBothLanesAlike() {
        canary(0, 5_000, 0, EVERYBODY);
        stable(100_000, 120_000, 0, EVERYBODY);
        watch.look(SECOND);
        Tick first = errors(watch.look(SECOND)).counts();
        canary(0, 5_000, SECOND, EVERYBODY);
        stable(100_000, 120_000, SECOND, EVERYBODY);

        Seen seen = watch.look(2 * SECOND);

        assertThat(first.canaryRate()).isCloseTo(1, within(0.15));
        assertThat(first.stableRate()).isCloseTo(1, within(0.15));
        assertThat(errors(seen).counts().canaryBad()).isEqualTo(first.canaryBad());
        assertThat(errors(seen).counts().stableBad()).isEqualTo(first.stableBad());
        assertThat(errors(seen).detector().evidence()).isLessThan(1);
        assertThat(watch.save().failedBefore().size()).isLessThanOrEqualTo(StageWatch.MOST_CUSTOMERS);
    }

    /** Stable's customers run out of first times sooner, which must not be held against canary. */
    @Test
    void aBetterCanaryNeverLooksWorseWithTime() {
        for (int tick = 1; tick <= 200; tick++) {
            int now = tick;
            canary(0, 1_000, tick - 1, customer -> chance(customer, now) < 0.01);
            stable(100_000, 104_000, tick - 1, customer -> chance(customer, now) < 0.05);
            Comparison errors = errors(watch.look(tick * SECOND));
            assertThat(errors.detector().evidence()).isLessThan(20);
        }
    }

    /** Stable had a bad start that canary was spared; then a dependency of both fails for everybody. */
    @Test
    void aBetterCanaryIsNotBlamedForASharedOutage() {
        canary(0, 1_000, 0, NOBODY);
        stable(100_000, 109_000, 0, customer -> customer % 10 < 3);
        watch.look(SECOND);
        canary(0, 1_000, SECOND, EVERYBODY);
        stable(100_000, 109_000, SECOND, EVERYBODY);

        Comparison errors = errors(watch.look(2 * SECOND));

        assertThat(errors.counts().canaryBad()).isGreaterThanOrEqualTo(1_000);
        assertThat(errors.detector().evidence()).isLessThan(1);
    }

    @Test
    void aBrokenCanaryIsSeenInItsFirstTick() {
        canary(0, 100, 0, customer -> customer < 20);
        stable(1_000, 1_900, 0, customer -> customer < 1_005);

        assertThat(errors(watch.look(SECOND)).isWorse(0.01 / 20)).isTrue();
    }

    @Test
    void theThresholdsOfStableAreThoseOfTheTicksBefore() {
        latencies(Lane.STABLE, 100, 20, 0);
        latencies(Lane.CANARY, 100, 200, 0);
        assertThat(comparison(watch.look(10 * SECOND), Compared.SLOWER_P50).counts())
                .isEqualTo(Tick.NOTHING);

        latencies(Lane.STABLE, 900, 20, 10 * SECOND);
        latencies(Lane.CANARY, 100, 200, 10 * SECOND);

        Comparison slower = comparison(watch.look(20 * SECOND), Compared.SLOWER_P99);
        assertThat(slower.counts()).isEqualTo(new Tick(100, 100, 900, 0));
        assertThat(slower.isWorse(0.0001)).isTrue();
    }

    @Requirement("F28")
    @Test
    void badOldSamplesLeaveTheWindow() {
        StageWatch windowed = StageWatch.start(settings(Duration.ofSeconds(20)), 0);
        windowed.add("a", Lane.CANARY, SampleLane.of(0, 100, EVERYBODY), 0);
        windowed.add("a", Lane.CANARY, SampleLane.of(0, 50, NOBODY), 10 * SECOND);

        assertThat(windowed.look(20 * SECOND).window().failed()).isEqualTo(100);
        assertThat(windowed.look(20 * SECOND + 1).window().failed()).isZero();
        assertThat(windowed.look(20 * SECOND + 1).window().count()).isEqualTo(50);
        assertThat(windowed.look(40 * SECOND).window().count()).isZero();
        assertThat(windowed.look(40 * SECOND).canary().count()).isEqualTo(150);
    }

    @Test
    void aWindowAddsUpItsParts() {
        StageWatch windowed = StageWatch.start(settings(Duration.ofSeconds(20)), 0);
        for (int second = 0; second < 60; second++) {
            windowed.add("a", Lane.CANARY, SampleLane.of(0, 2, NOBODY), second * SECOND);
            windowed.add("b", Lane.CANARY, SampleLane.of(0, 1, NOBODY), second * SECOND);
        }

        assertThat(windowed.look(59 * SECOND).window().count()).isEqualTo(21 * 3);
    }

    @Test
    void requestsUnderWayCountAsSlowAsLongAsTheirInstanceSaysSo() {
        canary(0, 100, 0, NOBODY);
        watch.add("a", Lane.CANARY, SampleLane.overdue(3), 0);
        watch.add("b", Lane.CANARY, SampleLane.overdue(4), 0);
        watch.add("b", Lane.CANARY, SampleLane.overdue(2), SECOND);

        assertThat(watch.look(SECOND).window().slow()).isEqualTo(5);
        assertThat(watch.look(SECOND).window().isP99AboveLimit()).isTrue();
        assertThat(watch.look(SECOND).canary().slow()).isZero();
        assertThat(watch.look(5 * SECOND + 1).window().slow()).isEqualTo(2);
        watch.add("b", Lane.CANARY, SampleLane.of(0, 1, NOBODY), 5 * SECOND + 2);
        assertThat(watch.look(5 * SECOND + 2).window().slow()).isZero();
    }

    @Test
    void silenceCountsFromTheNewestRequest() {
        canary(0, 1, 0, NOBODY);
        watch.add("a", Lane.STABLE, SampleLane.overdue(1), SECOND);
        watch.add("a", Lane.CANARY, LaneTally.empty(), 3 * SECOND);

        Seen seen = watch.look(4 * SECOND);

        assertThat(seen.silence()).isEqualTo(Duration.ofSeconds(4));
        assertThat(seen.stableSilence()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void aClockThatRunsBackStandsStill() {
        StageWatch late = StageWatch.start(SETTINGS, 100 * SECOND);
        late.add("a", Lane.CANARY, SampleLane.of(0, 60, NOBODY), 50 * SECOND);

        assertThat(late.look(10 * SECOND).silence()).isZero();
        assertThat(errors(late.look(10 * SECOND)).detector().ticks()).isZero();
        assertThat(errors(late.look(101 * SECOND)).detector().ticks()).isEqualTo(1);
    }

    @Test
    void aClockThatOverflowsRunsOn() {
        StageWatch atTheEnd = StageWatch.start(SETTINGS, Long.MAX_VALUE - SECOND / 2);
        atTheEnd.add("a", Lane.CANARY, SampleLane.of(0, 60, NOBODY), Long.MAX_VALUE);

        Seen seen = atTheEnd.look(Long.MAX_VALUE + SECOND);

        assertThat(seen.silence()).isEqualTo(Duration.ofSeconds(1));
        assertThat(errors(seen).detector().ticks()).isEqualTo(1);
    }

    @Test
    void afterARestartNobodyWasHeardAndEverythingElseIsThere() {
        canary(0, 100, 0, customer -> customer < 5);
        stable(1_000, 1_900, 0, NOBODY);
        Seen before = watch.look(SECOND);

        Seen after = StageWatch.restore(SETTINGS, watch.save(), 77).look(77);

        assertThat(after.silence()).isGreaterThan(Duration.ofDays(1));
        assertThat(after.canary()).isEqualTo(before.canary());
        assertThat(after.stable()).isEqualTo(before.stable());
        assertThat(after.crowd()).isEqualTo(before.crowd());
        assertThat(errors(after).counts()).isEqualTo(errors(before).counts());
        assertThat(errors(after).detector().logs())
                .isEqualTo(errors(before).detector().logs());
    }

    @Test
    void aMetricThatWasNotSavedBegins() {
        Seen seen = StageWatch.restore(SETTINGS, StageWatch.Saved.NOTHING, 0).look(0);

        assertThat(seen.comparisons()).extracting(Comparison::metric).containsExactly(Compared.values());
    }

    @ParameterizedTest(name = "held {0}: ticks of {1}, {2} of them")
    @CsvSource({"PT0S, PT1S, 200", "PT10S, PT1S, 200", "PT10M, PT3S, 200", "PT24H, PT10S, 8640", "P30D, PT10S, 259200"})
    void ticksAreAsLongAsTheStageAllows(Duration hold, Duration tick, long horizon) {
        StageWatch.Settings settings = StageWatch.Settings.of(hold, limits(Duration.ZERO));

        assertThat(settings.tick()).isEqualTo(tick);
        assertThat(settings.horizon()).isEqualTo(horizon);
    }

    private void canary(long from, long to, long at, LongPredicate failed) {
        watch.add("a", Lane.CANARY, SampleLane.of(from, to, failed), at);
    }

    private void stable(long from, long to, long at, LongPredicate failed) {
        watch.add("a", Lane.STABLE, SampleLane.of(from, to, failed), at);
    }

    private void latencies(Lane lane, long count, long millis, long at) {
        Tally tally = SampleTally.of(count, 0, Duration.ofMillis(millis), SampleLane.LIMIT);
        watch.add("a", lane, LaneTally.of(tally), at);
    }

    /** Of a customer at some time, always the same, evenly within 0..1. */
    private static double chance(long customer, long time) {
        long mixed = (customer * 1_000 + time) * 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ mixed >>> 32) * 0xd6e8feb86659fd93L;
        return ((mixed ^ mixed >>> 32) >>> 11) * 0x1p-53;
    }

    private static Comparison errors(Seen seen) {
        return comparison(seen, Compared.ERRORS);
    }

    private static Comparison comparison(Seen seen, Compared metric) {
        return seen.comparisons().get(metric.ordinal());
    }

    private static StageWatch.Settings settings(Duration window) {
        return StageWatch.Settings.of(Duration.ofMinutes(3), limits(window));
    }

    private static Thresholds limits(Duration window) {
        return new Thresholds(30, ErrorRate.parse("2%"), SampleLane.LIMIT, Thresholds.DEFAULT_SILENCE, window);
    }
}
