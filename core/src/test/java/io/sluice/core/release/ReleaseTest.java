package io.sluice.core.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Decision;
import io.sluice.core.decision.Percent;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.Verdict;
import io.sluice.core.identity.Identity;
import io.sluice.core.identity.RequestView;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.Match;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.Rule;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReleaseTest {
    private static final ReleaseSpec SPEC = SampleRelease.spec("r1", "order", "user");
    private static final Release DRAFT = Release.draft(SPEC);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static final Verdict HEALTHY = SampleRelease.verdict(Health.HEALTHY, "healthy");
    private static final Verdict HOLD = SampleRelease.verdict(Health.HOLD, "no_data");
    private static final Verdict BREACH = SampleRelease.verdict(Health.BREACH, "error_rate=0.0600>0.0200");

    static List<Arguments> looks() {
        Phase.Ramping fresh = new Phase.Ramping(1, Duration.ZERO);
        Phase.Ramping nearly = new Phase.Ramping(1, Duration.ofSeconds(9));
        Phase.Ramping last = new Phase.Ramping(4, Duration.ofSeconds(9));
        Phase.Paused paused = new Phase.Paused(1, Duration.ofSeconds(9), "wait");
        Phase taken = new Phase.Aborted("order: error_rate=0.0600>0.0200");
        return List.of(
                Arguments.of(fresh, HEALTHY, SECOND, new Phase.Ramping(1, SECOND)),
                Arguments.of(fresh, HOLD, SECOND, new Phase.Ramping(1, SECOND)),
                Arguments.of(fresh, BREACH, SECOND, taken),
                Arguments.of(nearly, HEALTHY, SECOND.minusNanos(1), new Phase.Ramping(1, Duration.ofSeconds(10, -1))),
                Arguments.of(nearly, HEALTHY, SECOND, new Phase.Ramping(2, Duration.ZERO)),
                Arguments.of(nearly, HOLD, SECOND, new Phase.Ramping(1, Duration.ofSeconds(10))),
                Arguments.of(nearly, BREACH, SECOND, taken),
                Arguments.of(last, HEALTHY, SECOND, new Phase.Completed()),
                Arguments.of(last, HOLD, SECOND, new Phase.Ramping(4, Duration.ofSeconds(10))),
                Arguments.of(paused, HEALTHY, SECOND, paused),
                Arguments.of(paused, HOLD, SECOND, paused),
                Arguments.of(paused, BREACH, SECOND, taken),
                Arguments.of(new Phase.Draft(), BREACH, SECOND, new Phase.Draft()),
                Arguments.of(new Phase.Completed(), BREACH, SECOND, new Phase.Completed()),
                Arguments.of(new Phase.Aborted("before"), BREACH, SECOND, new Phase.Aborted("before")));
    }

    @Requirement({"C1", "L3"})
    @ParameterizedTest(name = "{0}, {1} after {2}")
    @MethodSource("looks")
    void aLookLeadsToTheNextPhase(Phase phase, Verdict verdict, Duration watched, Phase next) {
        Release before = new Release(SPEC, phase, 3, false, 5);

        assertThat(before.after(verdict, watched).phase()).isEqualTo(next);
    }

    static List<Arguments> breaches() {
        String why = "order: error_rate=0.0600>0.0200";
        Phase taken = new Phase.Aborted(why);
        return List.of(
                Arguments.of(new Phase.Ramping(3, SECOND), 0, new Phase.Paused(2, Duration.ZERO, why), 1),
                Arguments.of(new Phase.Ramping(1, SECOND), 1, new Phase.Paused(0, Duration.ZERO, why), 2),
                Arguments.of(new Phase.Paused(2, SECOND, why), 1, new Phase.Paused(1, Duration.ZERO, why), 2),
                Arguments.of(new Phase.Paused(2, SECOND, "lunch"), 0, new Phase.Paused(1, Duration.ZERO, why), 1),
                Arguments.of(new Phase.Ramping(4, SECOND), 0, new Phase.Paused(3, Duration.ZERO, why), 1),
                Arguments.of(new Phase.Ramping(0, SECOND), 0, taken, 0),
                Arguments.of(new Phase.Paused(0, SECOND, why), 1, taken, 1),
                Arguments.of(new Phase.Ramping(3, SECOND), 2, taken, 2),
                Arguments.of(new Phase.Paused(3, SECOND, why), 2, taken, 2));
    }

    @Requirement("B9")
    @ParameterizedTest(name = "{0} after {1} steps back")
    @MethodSource("breaches")
    void aBreachStepsBackUntilThereIsNoSafeWeightOrNoStepLeft(Phase phase, int stepBacks, Phase next, int then) {
        ReleaseSpec spec = SampleRelease.spec(SampleRelease.steppingBack(2), "r1", "order");

        Release after = new Release(spec, phase, 3, false, 5, stepBacks).after(BREACH, SECOND);

        assertThat(after.phase()).isEqualTo(next);
        assertThat(after.stepBacks()).isEqualTo(then);
        assertThat(after.step()).isEqualTo(4);
        assertThat(after.revision()).isEqualTo(6);
    }

    @Requirement("F28")
    @Test
    void aStepBackLowersThePublishedWeightOnAStepOfItsOwn() {
        ReleaseSpec spec = SampleRelease.spec(SampleRelease.steppingBack(1), "r1", "order");
        Release at25 = new Release(spec, new Phase.Ramping(2, SECOND), 3, false, 9);

        ReleaseRule rule = at25.after(BREACH, SECOND).rule().orElseThrow();

        assertThat(rule.split().percent()).isEqualTo(Percent.of(5));
        assertThat(rule.step()).isEqualTo(4);
        assertThat(rule.isAborted()).isFalse();
    }

    @Test
    void stepsBackAreCountedForTheWholeReleaseAndOperatorsAreNot() {
        ReleaseSpec spec = SampleRelease.spec(SampleRelease.steppingBack(2), "r1", "order");
        Release once = new Release(spec, new Phase.Ramping(2, SECOND), 3, false, 9).after(BREACH, SECOND);

        Release later =
                once.on(Command.RESUME, "fixed").on(Command.PROMOTE, "on").on(Command.BACK, "odd");

        assertThat(later.stepBacks()).isEqualTo(1);
        assertThat(later.retire().stepBacks()).isEqualTo(1);
        assertThat(later.again().stepBacks()).isEqualTo(1);
    }

    static List<Arguments> holds() {
        Duration nearly = Duration.ofSeconds(69);
        Duration over = Duration.ofSeconds(70);
        String why = "on hold for 1m: order: no_data";
        return List.of(
                Arguments.of(Policy.OnHold.PAUSE, HOLD, nearly, new Phase.Paused(1, over, why)),
                Arguments.of(Policy.OnHold.ABORT, HOLD, nearly, new Phase.Aborted(why)),
                Arguments.of(Policy.OnHold.WAIT, HOLD, nearly, new Phase.Ramping(1, over)),
                Arguments.of(Policy.OnHold.PAUSE, HOLD, nearly.minusNanos(1), new Phase.Ramping(1, over.minusNanos(1))),
                Arguments.of(Policy.OnHold.PAUSE, HEALTHY, nearly, new Phase.Ramping(2, Duration.ZERO)),
                Arguments.of(Policy.OnHold.ABORT, HEALTHY, over, new Phase.Ramping(2, Duration.ZERO)),
                Arguments.of(
                        Policy.OnHold.WAIT,
                        HOLD,
                        Duration.ofDays(90),
                        new Phase.Ramping(1, Duration.ofDays(90).plus(SECOND))));
    }

    @Requirement("L3")
    @ParameterizedTest(name = "{0}, {1} after {2}")
    @MethodSource("holds")
    void tooLongAHoldLeadsToWhatThePlanSays(Policy.OnHold onHold, Verdict verdict, Duration held, Phase next) {
        ReleaseSpec spec = SampleRelease.spec(SampleRelease.onHold(onHold), "r1", "order");
        Release before = new Release(spec, new Phase.Ramping(1, held), 2, false, 5);

        assertThat(before.after(verdict, SECOND).phase()).isEqualTo(next);
    }

    @Requirement("L3")
    @Test
    void whoResumesAfterTooLongAHoldGetsTheWholeLimitAgain() {
        ReleaseSpec spec = SampleRelease.spec(SampleRelease.onHold(Policy.OnHold.PAUSE), "r1", "order");
        Release paused =
                new Release(spec, new Phase.Ramping(1, Duration.ofSeconds(70)), 2, false, 5).after(HOLD, Duration.ZERO);

        Release resumed = paused.on(Command.RESUME, "have a look");

        assertThat(resumed.step()).isEqualTo(2);
        assertThat(resumed.after(HOLD, Duration.ofSeconds(59)).phase()).isInstanceOf(Phase.Ramping.class);
        assertThat(resumed.after(HOLD, Duration.ofSeconds(60)).phase()).isInstanceOf(Phase.Paused.class);
        assertThat(resumed.after(HEALTHY, Duration.ZERO).phase()).isEqualTo(new Phase.Ramping(2, Duration.ZERO));
    }

    @Requirement("F28")
    @Test
    void onlyAChangeOfWeightIsANewStep() {
        Release started = DRAFT.on(Command.START, "");
        Release paused = started.on(Command.PAUSE, "");
        Release resumed = paused.on(Command.RESUME, "");
        Release promoted = resumed.on(Command.PROMOTE, "");
        Release back = promoted.on(Command.BACK, "");
        Release aborted = back.on(Command.ABORT, "");

        assertThat(List.of(DRAFT, started, paused, resumed, promoted, back, aborted))
                .extracting(Release::step)
                .containsExactly(0L, 1L, 1L, 1L, 2L, 3L, 4L);
        assertThat(List.of(DRAFT, started, paused, resumed, promoted, back, aborted))
                .extracting(Release::revision)
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    }

    @Test
    void completionKeepsTheLastStagesStep() {
        Release last = new Release(SPEC, new Phase.Ramping(4, Duration.ZERO), 5, false, 9);

        assertThat(last.on(Command.PROMOTE, "").step()).isEqualTo(5);
    }

    @Requirement("F31")
    @Test
    void aCommandWithNothingToDoIsNoNewState() {
        Release aborted = DRAFT.on(Command.START, "").on(Command.ABORT, "first");

        assertThat(aborted.on(Command.ABORT, "second")).isSameAs(aborted);
    }

    @Requirement({"A4", "A5", "A8"})
    @Test
    void processesLearnOfItsWeightAndOfItsAbort() {
        Identity vip = Identity.ofCustomer("vip-1");
        Release started = DRAFT.on(Command.START, "");
        Release aborted = started.on(Command.ABORT, "p99");

        ReleaseRule live = started.rule().orElseThrow();
        ReleaseRule dead = aborted.rule().orElseThrow();

        assertThat(live.split().percent()).isEqualTo(Percent.of(1));
        assertThat(live.slowerThan()).isEqualTo(SampleRelease.LIMITS.maxP99());
        assertThat(live.overdueAfter()).isEqualTo(SampleRelease.LIMITS.maxP99());
        assertThat(live.decide(RequestView.empty(), vip).reason()).isEqualTo(Decision.ALLOWLIST);
        assertThat(dead.isAborted()).isTrue();
        assertThat(dead.decide(RequestView.empty(), vip).reason()).isEqualTo("abort:p99");
        assertThat(dead.split().bucketing()).isEqualTo(live.split().bucketing());
    }

    @Test
    void processesKnowNothingOfADraftOrARetiredRelease() {
        assertThat(DRAFT.rule()).isEmpty();
        assertThat(DRAFT.on(Command.START, "").on(Command.ABORT, "").retire().rule())
                .isEmpty();
    }

    @Test
    void aDraftThatIsAbortedIsNeverHeardOf() {
        assertThat(DRAFT.on(Command.ABORT, "never mind").rule()).isEmpty();
    }

    @Test
    void aRetiredReleaseTakesNoCommandButARepeatedAbort() {
        Release completed = new Release(SPEC, new Phase.Completed(), 5, true, 9);
        Release aborted = new Release(SPEC, new Phase.Aborted("p99"), 5, true, 9);

        assertThatThrownBy(() -> completed.on(Command.ABORT, ""))
                .isInstanceOf(CommandRefusedException.class)
                .hasMessage("cannot abort release r1: a later release of its services took over");
        assertThat(aborted.on(Command.ABORT, "")).isSameAs(aborted);
    }

    @Test
    void aReleaseGivesWayOnceItIsOver() {
        ReleaseSpec next = SampleRelease.spec("r2", "user");
        ReleaseSpec elsewhere = SampleRelease.spec("r3", "coupon");
        Release started = DRAFT.on(Command.START, "");
        Release over = started.on(Command.ABORT, "");

        assertThat(started.claims(next)).isTrue();
        assertThat(started.claims(elsewhere)).isFalse();
        assertThat(started.givesWayTo(next)).isFalse();
        assertThat(over.claims(next)).isFalse();
        assertThat(over.givesWayTo(next)).isTrue();
        assertThat(over.givesWayTo(elsewhere)).isFalse();
        assertThat(over.retire().givesWayTo(next)).isFalse();
    }

    static List<Arguments> plans() {
        Stage half = stage(50);
        Stage all = stage(100);
        return List.of(
                Arguments.of(List.of(), "stages was 0 stages"),
                Arguments.of(List.of(half), "stages[0].percent was 50%, but must be 100%"),
                Arguments.of(List.of(half, half, all), "stages[1].percent was 50%, but must be more than the 50%"),
                Arguments.of(List.of(half, stage(10), all), "stages[1].percent was 10%, but must be more than the 50%"),
                Arguments.of(List.of(all, all), "stages[1].percent was 100%, but must be more than the 100%"));
    }

    @Requirement("C1")
    @ParameterizedTest(name = "{1}")
    @MethodSource("plans")
    void aPlanRisesToHundredPercent(List<Stage> stages, String message) {
        assertThatThrownBy(() -> new Plan(stages, SampleRelease.LIMITS)).hasMessageStartingWith(message);
    }

    @Requirement("C1")
    @Test
    void theCanaryPlanHasFiveStages() {
        assertThat(SampleRelease.PLAN.stages())
                .extracting(stage -> stage.percent().toString())
                .containsExactly("1%", "5%", "25%", "50%", "100%");
    }

    @Test
    void aHoldTimeHasItsEnds() {
        assertThat(new Stage(Percent.HUNDRED, Duration.ofDays(30))).isNotNull();
        assertThatThrownBy(() -> new Stage(Percent.HUNDRED, Duration.ofNanos(-1)))
                .hasMessageStartingWith("hold was ");
        assertThatThrownBy(() -> new Stage(Percent.HUNDRED, Duration.ofDays(30).plusNanos(1)))
                .hasMessageStartingWith("hold was ");
    }

    @Test
    void everythingWrongWithASpecificationIsNamed() {
        Rule twin = Rule.of("twin", new Match.Channel("app"), Percent.HUNDRED);

        assertThatThrownBy(() -> new ReleaseSpec(
                        "../x",
                        "stable",
                        List.of(),
                        Bucketing.of(BucketHash.FNV1A, "s"),
                        Set.of(""),
                        List.of(twin, twin),
                        SampleRelease.PLAN))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.problems())
                                .extracting("path")
                                .containsExactly("allow", "id", "version", "services", "rules[1].name"));
    }

    private static Stage stage(int percent) {
        return new Stage(Percent.of(percent), Duration.ZERO);
    }

    @Test
    void aLongReasonIsWholeInThePhaseAndShortInTheRule() {
        String why = "totals are wrong ".repeat(30);
        Release aborted = Release.draft(SampleRelease.spec("r1", "order"))
                .on(Command.START, "go")
                .on(Command.ABORT, why);

        assertThat(aborted.phase()).isEqualTo(new Phase.Aborted(why));
        assertThat(aborted.rule()
                        .orElseThrow()
                        .split()
                        .decide(Identity.ofCustomer("c-1"))
                        .reason())
                .startsWith("abort:totals are wrong")
                .hasSizeLessThan(100);
    }
}
