package io.sluice.core.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.guard.SampleSeen;
import io.sluice.core.observation.SampleTally;
import io.sluice.core.observation.Tally;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.testing.Requirement;
import io.sluice.testing.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The orchestrator's process dies at some point, and another one goes on from what is saved. */
@Requirement("F24")
class CrashTest {
    private static final List<String> STEPS = List.of("collect", "judge", "step", "save", "publish", "record");
    private static final List<String> WHOLE_PLAN = List.of("1%", "5%", "25%", "50%", "100%");
    private static final Tally GOOD = SampleTally.of(100, 0, Duration.ofMillis(20), Duration.ofMillis(300));
    private static final Tally BAD = SampleTally.of(100, 6, Duration.ofMillis(20), Duration.ofMillis(300));
    private static final int BREACH_AT = 25;

    @Test
    void theUninterruptedRunTakesFiftyOneLooks() {
        Run run = new Run(Integer.MAX_VALUE);

        assertThat(run.untilOver(neverCrash())).isEqualTo(51);
        assertThat(run.weights.seen()).isEqualTo(WHOLE_PLAN);
    }

    @ParameterizedTest(name = "before {0}")
    @ValueSource(strings = {"collect", "judge", "step", "save", "publish", "record"})
    void aCrashAtAnyLookPublishesTheSameWeights(String step) {
        for (int look = 1; look <= 51; look++) {
            Run run = new Run(Integer.MAX_VALUE);

            int looks = run.untilOver(crashOnce(look, step));

            assertThat(run.weights.seen()).as("crash at look %d", look).isEqualTo(WHOLE_PLAN);
            assertThat(looks).as("looks, crash at look %d", look).isBetween(51, 53);
        }
    }

    @ParameterizedTest(name = "before {0}")
    @ValueSource(strings = {"collect", "judge", "step", "save", "publish", "record"})
    void aCrashAroundABreachStillAborts(String step) {
        for (int look = 1; look <= BREACH_AT + 1; look++) {
            Run run = new Run(BREACH_AT);

            run.untilOver(crashOnce(look, step));

            assertThat(run.phase()).as("crash at look %d", look).isInstanceOf(Phase.Aborted.class);
            assertThat(run.weights.seen()).as("crash at look %d", look).containsExactly("1%", "5%", "25%", "0%");
            assertThat(run.store.journal("r1"))
                    .filteredOn(entry -> entry.action().equals("abort"))
                    .as("abort entries, crash at look %d", look)
                    .hasSize(1);
        }
    }

    /** Above all between save and publish: the weight that is saved is published by whoever looks next. */
    @Requirement({"B9", "F31"})
    @ParameterizedTest(name = "before {0}")
    @ValueSource(strings = {"collect", "judge", "step", "save", "publish", "record"})
    void aCrashAroundAStepBackStepsBackOnce(String step) {
        for (int look = 1; look <= BREACH_AT + 3; look++) {
            Run run = new Run(BREACH_AT, SampleRelease.plan(SampleRelease.steppingBack(2)));

            run.looks(BREACH_AT + 5, crashOnce(look, step));

            assertThat(run.phase())
                    .as("crash at look %d", look)
                    .isEqualTo(new Phase.Paused(1, Duration.ZERO, "order: error_rate=0.0600>0.0200"));
            assertThat(run.weights.seen()).as("crash at look %d", look).containsExactly("1%", "5%", "25%", "5%");
            assertThat(run.store.find("r1").orElseThrow().stepBacks()).isEqualTo(1);
            assertThat(run.store.journal("r1"))
                    .filteredOn(entry -> entry.action().equals("step-back"))
                    .as("entries, crash at look %d", look)
                    .hasSize(1);
        }
    }

    @Test
    void manyCrashesPublishTheSameWeightsAndTakeNoTimeBack() {
        for (int seed = 0; seed < 300; seed++) {
            Run run = new Run(Integer.MAX_VALUE);

            run.untilOver(crashOften(new Random(seed)));

            assertThat(run.weights.seen()).as("seed %d", seed).isEqualTo(WHOLE_PLAN);
        }
    }

    private static Crashes neverCrash() {
        return look -> step -> true;
    }

    private static Crashes crashOnce(int at, String before) {
        return look -> step -> look != at || !step.equals(before);
    }

    private static Crashes crashOften(Random random) {
        return look -> {
            String before = random.nextInt(3) == 0 ? STEPS.get(random.nextInt(STEPS.size())) : "none";
            return step -> !step.equals(before);
        };
    }

    /** What lets a look, counted from one, get on. */
    private interface Crashes {
        Predicate<String> at(int look);
    }

    /** One release under orchestrators that follow one another on one store, looking each second. */
    private static final class Run {
        private final InMemoryReleaseStore store = new InMemoryReleaseStore();
        private final InMemoryRuleSource rules = new InMemoryRuleSource();
        private final PublishedWeights weights = PublishedWeights.of("r1", rules);
        private final SettableClock clock = SettableClock.create();
        private final int breachAt;
        private Orchestrator orchestrator = next();
        private int looks;

        private Run(int breachAt) {
            this(breachAt, SampleRelease.PLAN);
        }

        private Run(int breachAt, Plan plan) {
            this.breachAt = breachAt;
            orchestrator.create(SampleRelease.spec(plan, "r1", "order"), "alice", "");
            orchestrator.command("r1", Command.START, "alice", "", Expected.anything());
        }

        /** How many looks it took. */
        private int untilOver(Crashes crashes) {
            while (!phase().isOver() || looks <= breachAt && breachAt < Integer.MAX_VALUE) {
                assertThat(looks).isLessThan(1_000);
                look(crashes);
            }
            orchestrator.look();
            return looks;
        }

        private void looks(int times, Crashes crashes) {
            for (int i = 0; i < times; i++) {
                look(crashes);
            }
        }

        private void look(Crashes crashes) {
            looks++;
            Phase before = phase();
            Cut cut = new Cut(crashes.at(looks));
            orchestrator.look(cut);
            if (cut.died) {
                orchestrator = next();
            }
            assertThat(isTimeTakenBack(before, phase())).isFalse();
            clock.advance(Duration.ofSeconds(1));
        }

        private Phase phase() {
            return store.find("r1").orElseThrow().phase();
        }

        private Orchestrator next() {
            long bootedAt = clock.instant().toEpochMilli();
            return new Orchestrator(
                    store,
                    subject -> Map.of("order", SampleSeen.of(seen(subject), Duration.ZERO)),
                    MetricSource.none(),
                    new StatePublisher(store, rules),
                    clock,
                    () -> (clock.instant().toEpochMilli() - bootedAt) * 1_000_000);
        }

        /** From some look on it is bad, on the steps up to the third; what comes after that step is good again. */
        private Tally seen(Subject subject) {
            return looks < breachAt || subject.step() > 3 ? GOOD : BAD;
        }

        private static boolean isTimeTakenBack(Phase before, Phase after) {
            return before instanceof Phase.Ramping was
                    && after instanceof Phase.Ramping is
                    && was.stage() == is.stage()
                    && is.held().compareTo(was.held()) < 0;
        }
    }

    /** Remembers whether it stopped a look. */
    private static final class Cut implements Predicate<String> {
        private final Predicate<String> letOn;
        private boolean died;

        private Cut(Predicate<String> letOn) {
            this.letOn = letOn;
        }

        @Override
        public boolean test(String step) {
            died = died || !letOn.test(step);
            return !died;
        }
    }
}
