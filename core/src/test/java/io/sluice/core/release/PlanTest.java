package io.sluice.core.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.core.decision.Percent;
import io.sluice.core.guard.Baseline;
import io.sluice.core.guard.ErrorRate;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Requirement({"C1", "C2"})
class PlanTest {
    private static final Duration TEN = Duration.ofMinutes(10);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofHours(24);
    private static final Duration HALF_HOUR = Duration.ofMinutes(30);

    static List<Arguments> templates() {
        return List.of(
                Arguments.of(new PlanTemplate.Canary(TEN, HOUR), "1%/10m 5%/10m 25%/10m 50%/10m 100%/60m"),
                Arguments.of(
                        new PlanTemplate.FourPhases(HOUR, DAY, HALF_HOUR, HOUR),
                        "0%/60m 1%/720m 5%/720m 10%/30m 30%/30m 50%/30m 100%/60m"),
                Arguments.of(new PlanTemplate.Fixed(Percent.of(25), TEN, HOUR), "25%/10m 50%/10m 75%/10m 100%/60m"),
                Arguments.of(
                        new PlanTemplate.Fixed(Percent.parse("33.33"), TEN, TEN),
                        "33.33%/10m 66.66%/10m 99.99%/10m 100%/10m"),
                Arguments.of(new PlanTemplate.Fixed(Percent.of(60), TEN, HOUR), "60%/10m 100%/60m"),
                Arguments.of(new PlanTemplate.Fixed(Percent.HUNDRED, TEN, HOUR), "100%/60m"),
                Arguments.of(
                        new PlanTemplate.Exponential(Percent.of(1), 2, TEN, HOUR),
                        "1%/10m 2%/10m 4%/10m 8%/10m 16%/10m 32%/10m 64%/10m 100%/60m"),
                Arguments.of(
                        new PlanTemplate.Exponential(Percent.parse("0.01"), 100, TEN, HOUR),
                        "0.01%/10m 1%/10m 100%/60m"),
                Arguments.of(new PlanTemplate.Exponential(Percent.of(25), 4, TEN, HOUR), "25%/10m 100%/60m"),
                Arguments.of(new PlanTemplate.Exponential(Percent.HUNDRED, 2, TEN, HOUR), "100%/60m"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("templates")
    void aTemplateGivesRisingStagesAndBakesTheLast(PlanTemplate template, String stages) {
        String given = template.stages().stream()
                .map(stage -> stage.percent() + "/" + stage.hold().toMinutes() + "m")
                .collect(Collectors.joining(" "));

        assertThat(given).isEqualTo(stages);
        assertThat(Plan.requireRising(template.stages())).isEqualTo(template.stages());
    }

    @Test
    void theSmallestFixedStepFillsAPlan() {
        assertThat(new PlanTemplate.Fixed(Percent.of(1), TEN, TEN).stages()).hasSize(Plan.MOST_STAGES);
    }

    @Test
    void aCycleIsSharedByTwoStagesWithoutLoss() {
        List<Stage> stages = new PlanTemplate.FourPhases(HOUR, Duration.ofMillis(7), TEN, HOUR).stages();

        assertThat(stages.get(1).hold()).isEqualTo(Duration.ofMillis(3));
        assertThat(stages.get(2).hold()).isEqualTo(Duration.ofMillis(4));
    }

    static List<Arguments> refusedTemplates() {
        return List.of(
                refused(() -> new PlanTemplate.Fixed(Percent.parse("0.99"), TEN, TEN), "step was 0.99%"),
                refused(() -> new PlanTemplate.Fixed(Percent.ZERO, TEN, TEN), "step was 0%"),
                refused(() -> new PlanTemplate.Exponential(Percent.ZERO, 2, TEN, TEN), "first was 0%"),
                refused(() -> new PlanTemplate.Exponential(Percent.of(1), 1, TEN, TEN), "factor was 1"),
                refused(() -> new PlanTemplate.Exponential(Percent.of(1), 101, TEN, TEN), "factor was 101"),
                refused(
                        () -> new PlanTemplate.FourPhases(HOUR, Duration.ofDays(61), TEN, TEN),
                        "cycle was 61d, but must be within 0s..60d"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("refusedTemplates")
    void aParameterOutOfRangeIsRefusedByName(Supplier<PlanTemplate> template, String message) {
        assertThatThrownBy(template::get).isInstanceOf(RefusedException.class).hasMessageStartingWith(message);
    }

    @Test
    void aStageThatCannotHaveItsSamplesInTimeIsRefusedByName() {
        List<Stage> stages = List.of(
                new Stage(Percent.ZERO, Duration.ZERO),
                new Stage(Percent.of(1), Duration.ofSeconds(50)),
                new Stage(Percent.of(10), Duration.ofSeconds(5)),
                new Stage(Percent.of(50), Duration.ofSeconds(5), 1_000),
                new Stage(Percent.HUNDRED, Duration.ofSeconds(1)));

        List<Problem> problems = problems(() -> plan(stages, SampleRelease.LIMITS, Pace.TIME, 100));

        assertThat(problems)
                .extracting(Problem::toString)
                .containsExactly("stages[3].hold was 5s, but must be at least 20s at 50% of 100 requests a second,"
                        + " to have 1000 samples");
    }

    @Test
    void atThePaceOfEvidenceTheTimeToShowItCounts() {
        List<Stage> stages = List.of(new Stage(Percent.HUNDRED, Duration.ofSeconds(1)));

        assertThat(plan(stages, SampleRelease.LIMITS, Pace.TIME, 50)).isNotNull();
        assertThat(problems(() -> plan(stages, SampleRelease.LIMITS, Pace.EVIDENCE, 50)))
                .extracting(Problem::path)
                .containsExactly("stages[0].hold");
    }

    @Test
    void evidenceThatNothingCanGiveIsRefusedBeforeTheStart() {
        Thresholds none = new Thresholds(50, ErrorRate.parse("0"), TEN, Thresholds.DEFAULT_SILENCE);

        assertThat(problems(() -> plan(SampleRelease.PLAN.stages(), none, Pace.EVIDENCE, 0)))
                .extracting(Problem::toString)
                .containsExactly(
                        "pace was evidence, but must be time where maxErrorRate is 0, which no number of requests can"
                                + " show");
    }

    private static Plan plan(List<Stage> stages, Thresholds limits, Pace pace, long requestsPerSecond) {
        return new Plan(stages, limits, Baseline.DEFAULT, List.of(), Policy.DEFAULT, pace, requestsPerSecond);
    }

    private static List<Problem> problems(Supplier<Plan> plan) {
        return catchThrowableOfType(RefusedException.class, plan::get).problems();
    }

    private static Arguments refused(Supplier<PlanTemplate> template, String message) {
        return Arguments.of(template, message);
    }
}
