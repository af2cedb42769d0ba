package io.sluice.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.guard.Compared;
import io.sluice.core.guard.ErrorRate;
import io.sluice.core.guard.StageWatch;
import io.sluice.core.guard.Thresholds;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The guard's promises about chance, held to by simulation: a short form of the tables in {@code docs/figures.md}, of
 * which bench makes the long one. Seeds are fixed, so a run that passes always passes.
 *
 * <p>A stage is 10,000 canary requests long, 10 a second, in 200 ticks of 5 seconds; stable fails at 0.5 %.
 */
class GuardSimulationTest {
    private static final double BASE = 0.005;
    private static final double A_TICK = 50;
    private static final Duration STAGE = Duration.ofSeconds(1_000);
    private static final List<Compared> LATENCIES =
            List.of(Compared.SLOWER_P50, Compared.SLOWER_P90, Compared.SLOWER_P99, Compared.SLOW);
    private static final Thresholds LIMITS =
            new Thresholds(100, ErrorRate.parse("1%"), Duration.ofMillis(77), Thresholds.DEFAULT_SILENCE);

    @Test
    @Requirement("B3")
    void aHealthyCanaryIsTakenBackAtMostAsOftenAsAlphaSays() {
        List<Run> runs = stage(STAGE).runs(1_500, 1, chance -> independent(0.10, steady(BASE), chance), run -> false);

        assertThat(frequency(runs, errors(0.05)).upper(0.99)).isBetween(0.005, 0.05);
        assertThat(frequency(runs, errors(0.01)).upper(0.99)).isLessThanOrEqualTo(0.01);
        assertThat(frequency(runs, Run::overLimit).rate())
                .as("by a hard limit of twice the rate")
                .isBetween(0.30, 0.38);
    }

    @ParameterizedTest(name = "{0} customers, {1} retries, canary {2}")
    @Requirement("B4")
    @CsvSource({"2000, 5, 0.25", "20000, 0, 0.50"})
    void customersWhoDifferAndTryAgainTakeNoHealthyCanaryBack(int customers, int retries, double share) {
        StickyTraffic.Crowd crowd = new StickyTraffic.Crowd(customers, 0.05, retries);

        List<Run> runs = stage(STAGE)
                .runs(400, 1, chance -> new StickyTraffic(load(share), steady(BASE), crowd, chance), run -> false);

        assertThat(frequency(runs, errors(0.05)).upper(0.99)).isLessThanOrEqualTo(0.05);
    }

    @Test
    @Requirement("B3")
    void aFaultOfBothLanesTakesNobodyBack() {
        Failures failures = steady(BASE).until(200, steady(0.03).until(300, steady(BASE)));

        List<Run> runs = stage(STAGE).runs(800, 1, chance -> independent(0.10, failures, chance), run -> false);

        assertThat(frequency(runs, errors(0.05)).upper(0.99)).isLessThanOrEqualTo(0.05);
        assertThat(frequency(runs, Run::overLimit).rate()).isGreaterThan(0.9);
    }

    @ParameterizedTest(name = "canary {0} of all fails at {1}")
    @Requirement("B3")
    @CsvSource({"0.01, 0.02", "0.10, 0.02", "0.50, 0.02", "0.10, 0.06", "0.10, 0.30"})
    void aBadCanaryIsFoundNearlyAsSoonAsWhoeverKnowsBothRatesCould(double share, double broken) {
        Failures failures = Failures.of(BASE, broken);

        List<Run> runs = stage(STAGE.multipliedBy(4))
                .runs(
                        300,
                        1,
                        chance -> independent(share, failures, chance),
                        run -> errors(0.01).apply(run).isPresent());

        double median = delays(runs, errors(0.01)).median();
        double oracle =
                new Oracle(BASE, broken, share, 0.01).delays(300, 40_000, 1).median();
        assertThat(median).isLessThanOrEqualTo(1.8 * oracle + A_TICK);
    }

    @Test
    @Requirement("B3")
    void aCanaryThatBreaksLateIsFoundWithin250OfItsRequests() {
        Failures failures = steady(BASE).until(500, Failures.of(BASE, 0.06));

        List<Run> runs = stage(STAGE)
                .runs(
                        300,
                        1,
                        chance -> independent(0.10, failures, chance),
                        run -> errors(0.01).apply(run).isPresent());

        Delays delays = Delays.of(runs.stream().map(errors(0.01)).toList(), found -> (found.seconds() - 500) * 10);
        assertThat(delays.median()).isLessThanOrEqualTo(250);
    }

    @Test
    @Requirement("B5")
    void latenciesThatAreAlikeTakeNobodyBackAndTwiceAsLongOnesDo() {
        List<Run> alike = timed(300, 1);
        List<Run> twice = timed(20, 2);

        assertThat(LATENCIES)
                .allSatisfy(metric -> assertThat(
                                frequency(alike, run -> run.worse(metric, 0.05)).upper(0.99))
                        .isLessThanOrEqualTo(0.05));
        assertThat(LATENCIES)
                .allSatisfy(metric -> assertThat(
                                delays(twice, run -> run.worse(metric, 0.05)).quantile(90))
                        .isLessThanOrEqualTo(500));
    }

    @Test
    void theSameSeedGivesTheSameRunsAndAnotherGivesOthers() {
        assertThat(ends(1)).isEqualTo(ends(1)).isNotEqualTo(ends(2));
    }

    private static List<Run.Moment> ends(long seed) {
        StickyTraffic.Crowd crowd = new StickyTraffic.Crowd(100, 0.05, 5);
        return stage(Duration.ofSeconds(50))
                .runs(20, seed, chance -> new StickyTraffic(load(0.5), steady(0.02), crowd, chance), run -> false)
                .stream()
                .map(Run::end)
                .toList();
    }

    private static List<Run> timed(int runs, double factor) {
        StageWatch.Settings settings = StageWatch.Settings.of(STAGE, LIMITS);
        return new Simulation(
                        settings, LIMITS, settings.tick(), STAGE.dividedBy(factor > 1 ? 10 : 1), List.of(0.05, 0.01))
                .runs(
                        runs,
                        1,
                        chance -> new TimedTraffic(load(0.25), latency(1), latency(factor), LIMITS.maxP99(), chance),
                        run -> false);
    }

    private static ToLongFunction<Chance> latency(double factor) {
        return chance -> (long) (1e6 * factor * chance.lognormal(20, 0.5));
    }

    private static Simulation stage(Duration length) {
        return new Simulation(
                StageWatch.Settings.of(STAGE, LIMITS), LIMITS, Duration.ofSeconds(1), length, List.of(0.05, 0.01));
    }

    private static Load load(double share) {
        return new Load(share, 10 / share);
    }

    private static Failures steady(double rate) {
        return Failures.of(rate, rate);
    }

    private static Traffic independent(double share, Failures failures, Chance chance) {
        return new IndependentTraffic(load(share), failures, chance);
    }

    private static Function<Run, Optional<Run.Moment>> errors(double alpha) {
        return run -> run.worse(Compared.ERRORS, alpha);
    }

    private static Delays delays(List<Run> runs, Function<Run, Optional<Run.Moment>> moment) {
        return Delays.of(runs.stream().map(moment).toList(), Run.Moment::requests);
    }

    private static Frequency frequency(List<Run> runs, Function<Run, Optional<Run.Moment>> moment) {
        return new Frequency(
                runs.stream().filter(run -> moment.apply(run).isPresent()).count(), runs.size());
    }
}
