package io.sluice.core.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.decision.Percent;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.SampleSeen;
import io.sluice.core.guard.Seen;
import io.sluice.core.observation.SampleTally;
import io.sluice.core.observation.Tally;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.testing.Requirement;
import io.sluice.testing.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OrchestratorTest {
    private static final Duration LIMIT = SampleRelease.LIMITS.maxP99();
    private static final Seen GOOD = seen(100, 0);
    private static final Seen BAD = seen(100, 6);
    private static final Seen FEW = seen(10, 10);

    private final InMemoryReleaseStore store = new InMemoryReleaseStore();
    private final InMemoryRuleSource rules = new InMemoryRuleSource();
    private final PublishedWeights weights = PublishedWeights.of("r1", rules);
    private final SettableClock wallClock = SettableClock.create();
    private final SettableClock monotonic = SettableClock.create();
    private final Instant start = monotonic.instant();
    private final Map<String, Seen> evidence = new HashMap<>();
    private final List<String> refusing = new ArrayList<>();
    private final Orchestrator orchestrator = new Orchestrator(
            store,
            release -> evidence,
            MetricSource.none(),
            () -> refusing,
            new StatePublisher(store, rules),
            wallClock,
            () -> Duration.between(start, monotonic.instant()).toNanos());

    @BeforeEach
    void startOneRelease() {
        evidence.put("order", GOOD);
        evidence.put("user", GOOD);
        orchestrator.create(SampleRelease.spec("r1", "order", "user"), "alice", "new pricing");
        orchestrator.command("r1", Command.START, "alice", "go", Expected.anything());
        orchestrator.look();
    }

    @Requirement("C1")
    @Test
    void aStageIsHeldAsLongAsThePlanSays() {
        lookEachSecond(9);
        assertThat(weights.seen()).containsExactly("1%");

        lookEachSecond(1);
        assertThat(weights.seen()).containsExactly("1%", "5%");
        assertThat(phase()).isEqualTo(new Phase.Ramping(1, Duration.ZERO));
    }

    @Requirement("C1")
    @Test
    void aHealthyReleaseGoesAllTheWay() {
        lookEachSecond(50);

        assertThat(phase()).isEqualTo(new Phase.Completed());
        assertThat(weights.seen()).containsExactly("1%", "5%", "25%", "50%", "100%");
        assertThat(store.journal("r1"))
                .extracting(entry -> entry.actor() + " " + entry.action() + ": " + entry.outcome())
                .containsExactly(
                        "alice create: draft 0%",
                        "alice start: ramping 1%",
                        "guard verdict: ramping 1%",
                        "orchestrator advance: ramping 5%",
                        "orchestrator advance: ramping 25%",
                        "orchestrator advance: ramping 50%",
                        "orchestrator advance: ramping 100%",
                        "orchestrator complete: completed 100%");
    }

    @Requirement({"B3", "B4", "C1"})
    @Test
    void aBreachTakesTheReleaseBackAtOnce() {
        lookEachSecond(12);
        evidence.put("user", BAD);

        orchestrator.look();

        assertThat(phase()).isEqualTo(new Phase.Aborted("user: error_rate=0.0600>0.0200"));
        assertThat(weights.seen()).containsExactly("1%", "5%", "0%");
        JournalEntry last = lastEntry();
        assertThat(last.actor()).isEqualTo("guard");
        assertThat(last.action()).isEqualTo("abort");
        assertThat(last.why()).isEqualTo("user: error_rate=0.0600>0.0200");
        assertThat(last.verdict().samples()).isEqualTo(100);
        assertThat(last.verdict().failures()).isEqualTo(6);
    }

    @Requirement("F7")
    @Test
    void nothingGoesOnWhileSomebodyRefusesItsRules() {
        refusing.addAll(List.of("order@a:1", "user@b:1"));

        lookEachSecond(25);

        assertThat(weights.seen()).containsExactly("1%");
        assertThat(orchestrator.verdict("r1").health()).isEqualTo(Health.HOLD);
        assertThat(orchestrator.verdict("r1").describe()).isEqualTo("rules_refused by order@a:1, user@b:1");
        assertThat(orchestrator.verdict("r1").samples()).isEqualTo(100);

        refusing.clear();
        orchestrator.look();

        assertThat(weights.seen()).containsExactly("1%", "5%");
    }

    @Requirement("F7")
    @Test
    void aBreachTakesBackAndAnOperatorPromotesWhoeverRefuses() {
        refusing.add("order@a:1");
        command(Command.PROMOTE);
        orchestrator.look();
        assertThat(weights.seen()).containsExactly("1%", "5%");

        evidence.put("user", BAD);
        orchestrator.look();

        assertThat(phase()).isEqualTo(new Phase.Aborted("user: error_rate=0.0600>0.0200"));
    }

    @Requirement("L3")
    @Test
    void withoutEvidenceNothingGoesOn() {
        evidence.clear();

        lookEachSecond(100);

        assertThat(phase()).isEqualTo(new Phase.Ramping(0, Duration.ofSeconds(100)));
        assertThat(orchestrator.verdict("r1").describe()).isEqualTo("order: no_data");
    }

    @Requirement("L3")
    @Test
    void evidenceOfOneServiceIsNotEvidenceOfTheOther() {
        evidence.remove("user");

        lookEachSecond(100);

        assertThat(phase()).isInstanceOf(Phase.Ramping.class);
        assertThat(orchestrator.verdict("r1").describe()).isEqualTo("user: no_data");
    }

    @Requirement("L3")
    @Test
    void aHeldReleaseGoesOnWhenItIsFoundHealthyAgain() {
        evidence.put("user", FEW);
        lookEachSecond(100);
        assertThat(orchestrator.verdict("r1").describe()).isEqualTo("user: insufficient_samples");

        evidence.put("user", GOOD);
        lookEachSecond(1);

        assertThat(weights.seen()).containsExactly("1%", "5%");
    }

    @Requirement("B4")
    @Test
    void anEdgeMayReportABreachButItsHealthIsNotNeeded() {
        evidence.put(Evidence.EDGES, FEW);
        lookEachSecond(10);
        assertThat(weights.seen()).containsExactly("1%", "5%");

        evidence.put(Evidence.EDGES, BAD);
        orchestrator.look();

        assertThat(phase()).isEqualTo(new Phase.Aborted("(edges): error_rate=0.0600>0.0200"));
    }

    @Requirement("F24")
    @Test
    void timeBeyondFiveSecondsBetweenLooksIsNotWatched() {
        monotonic.advance(Duration.ofMinutes(10));

        orchestrator.look();

        assertThat(phase()).isEqualTo(new Phase.Ramping(0, Duration.ofSeconds(5)));
    }

    @Requirement("F13")
    @Test
    void aClockThatGoesBackwardsTakesNothingAway() {
        lookEachSecond(3);
        monotonic.advance(Duration.ofHours(-1));

        orchestrator.look();

        assertThat(phase()).isEqualTo(new Phase.Ramping(0, Duration.ofSeconds(3)));
    }

    @Requirement("F13")
    @Test
    void theWallClockDecidesNothing() {
        wallClock.advance(Duration.ofHours(1));
        lookEachSecond(3);
        wallClock.advance(Duration.ofHours(-2));
        lookEachSecond(3);

        assertThat(phase()).isEqualTo(new Phase.Ramping(0, Duration.ofSeconds(6)));
    }

    @Test
    void pausedTimeIsNotWatched() {
        lookEachSecond(4);
        command(Command.PAUSE);
        lookEachSecond(100);
        command(Command.RESUME);

        lookEachSecond(3);

        assertThat(phase()).isEqualTo(new Phase.Ramping(0, Duration.ofSeconds(6)));
    }

    @Test
    void pausedTimeBetweenTwoLooksIsNotWatched() {
        lookEachSecond(4);
        command(Command.PAUSE);
        monotonic.advance(Duration.ofSeconds(4));
        command(Command.RESUME);

        orchestrator.look();

        assertThat(phase()).isEqualTo(new Phase.Ramping(0, Duration.ofSeconds(4)));
    }

    @Test
    void aPromotedStageIsWatchedFromItsOwnBeginning() {
        lookEachSecond(4);
        monotonic.advance(Duration.ofSeconds(4));
        command(Command.PROMOTE);

        orchestrator.look();

        assertThat(phase()).isEqualTo(new Phase.Ramping(1, Duration.ZERO));
    }

    @Test
    void aPausedReleaseIsStillGuarded() {
        command(Command.PAUSE);
        evidence.put("order", BAD);

        orchestrator.look();

        assertThat(phase()).isEqualTo(new Phase.Aborted("order: error_rate=0.0600>0.0200"));
    }

    @Requirement({"A8", "F21", "F31"})
    @Test
    void aSecondAbortChangesNothing() {
        command(Command.ABORT);
        Release aborted = release();

        Release again = orchestrator.command("r1", Command.ABORT, "bob", "another reason", new Expected(0L, null));

        assertThat(again).isEqualTo(aborted);
        assertThat(release()).isEqualTo(aborted);
        assertThat(lastEntry().actor()).isEqualTo("alice");
    }

    @Requirement("F21")
    @ParameterizedTest
    @EnumSource(names = {"PAUSE", "RESUME", "PROMOTE", "BACK"})
    void aCommandForAnotherStepIsRefused(Command command) {
        assertThatThrownBy(() -> orchestrator.command("r1", command, "alice", "why", new Expected(7L, null)))
                .isInstanceOf(CommandRefusedException.class)
                .hasMessage("cannot " + command.label() + " release r1 at step 7: it is at step 1 now; look again");
        assertThat(phase()).isInstanceOf(Phase.Ramping.class);
    }

    @Requirement("F21")
    @Test
    void anAbortAsksForNoStep() {
        orchestrator.command("r1", Command.ABORT, "alice", "stop", new Expected(7L, null));

        assertThat(phase()).isEqualTo(new Phase.Aborted("stop"));
        assertThat(weights.seen()).containsExactly("1%", "0%");
    }

    @Test
    void anUnknownReleaseTakesNoCommand() {
        assertThatThrownBy(() -> orchestrator.command("r9", Command.ABORT, "alice", "why", Expected.anything()))
                .isInstanceOf(UnknownReleaseException.class)
                .hasMessage("there is no release r9");
    }

    @Test
    void theNextReleaseTakesOverFromACompletedOne() {
        lookEachSecond(50);
        orchestrator.create(SampleRelease.spec("r2", "user"), "alice", "next");
        assertThat(rules.current().releases()).extracting("id").containsExactly("r1");

        orchestrator.command("r2", Command.START, "alice", "go", Expected.anything());

        assertThat(rules.current().releases()).extracting("id").containsExactly("r2");
        assertThat(release().retired()).isTrue();
    }

    @Test
    void anAbortedDraftLeavesACompletedReleaseAlone() {
        lookEachSecond(50);
        orchestrator.create(SampleRelease.spec("r2", "user"), "alice", "next");

        orchestrator.command("r2", Command.ABORT, "alice", "never mind", Expected.anything());
        orchestrator.look();

        assertThat(rules.current().releases()).extracting("id").containsExactly("r1");
        assertThat(rules.current().release("r1").split().percent()).isEqualTo(Percent.HUNDRED);
    }

    @Requirement("F28")
    @Test
    void evidenceIsAskedForTheStepThatIsSaved() {
        Map<Long, Integer> asked = new HashMap<>();
        Orchestrator asking = new Orchestrator(
                store,
                release -> {
                    asked.merge(release.step(), 1, Integer::sum);
                    return evidence;
                },
                MetricSource.none(),
                new StatePublisher(store, rules),
                wallClock,
                () -> 0);

        asking.look();
        command(Command.PROMOTE);
        asking.look();
        asking.look();

        assertThat(asked).containsExactly(Map.entry(1L, 1), Map.entry(2L, 2));
    }

    @Test
    void aReleaseWhoseEvidenceFailsHoldsUpNoOther() {
        orchestrator.create(SampleRelease.spec("r2", "coupon"), "alice", "");
        orchestrator.command("r2", Command.START, "alice", "", Expected.anything());
        IllegalStateException broken = new IllegalStateException("on purpose");
        Orchestrator halfBlind = new Orchestrator(
                store,
                subject -> {
                    if (subject.release().equals("r1")) {
                        throw broken;
                    }
                    return Map.of("coupon", BAD);
                },
                MetricSource.none(),
                new StatePublisher(store, rules),
                wallClock,
                () -> 0);

        assertThatThrownBy(halfBlind::look).isSameAs(broken);

        assertThat(phase()).isInstanceOf(Phase.Ramping.class);
        assertThat(rules.current().release("r2").isAborted()).isTrue();
    }

    @Test
    void aVerdictOfAnotherKindIsNotedOnce() {
        evidence.put("user", FEW);
        lookEachSecond(3);
        evidence.put("user", GOOD);
        lookEachSecond(3);

        assertThat(store.journal("r1"))
                .filteredOn(entry -> entry.action().equals("verdict"))
                .extracting(JournalEntry::why)
                .containsExactly("order: healthy", "user: insufficient_samples", "order: healthy");
        assertThat(orchestrator.verdict("r1").health()).isEqualTo(Health.HEALTHY);
    }

    @Test
    void aVerdictIsNotedWhileThePausedReleaseStandsStill() {
        orchestrator.command("r1", Command.PAUSE, "alice", "looking at a log", Expected.anything());
        evidence.put("user", FEW);
        lookEachSecond(3);

        assertThat(store.journal("r1"))
                .last()
                .extracting(JournalEntry::action, JournalEntry::why, JournalEntry::outcome)
                .containsExactly("verdict", "user: insufficient_samples", "paused 1%");
    }

    @Requirement("F21")
    @Test
    void aVerdictIsNotNotedBehindAnAbortThatCameMeanwhile() {
        orchestrator.command("r1", Command.PAUSE, "alice", "looking at a log", Expected.anything());
        Orchestrator slow = new Orchestrator(
                store,
                release -> {
                    orchestrator.command("r1", Command.ABORT, "alice", "wrong totals", Expected.anything());
                    return Map.of("order", FEW);
                },
                MetricSource.none(),
                new StatePublisher(store, rules),
                wallClock,
                () -> 0);

        slow.look();

        assertThat(store.journal("r1")).last().extracting(JournalEntry::action).isEqualTo("abort");
    }

    private void lookEachSecond(int times) {
        for (int i = 0; i < times; i++) {
            monotonic.advance(Duration.ofSeconds(1));
            orchestrator.look();
        }
    }

    private void command(Command command) {
        orchestrator.command("r1", command, "alice", "why", Expected.anything());
    }

    private Release release() {
        return store.find("r1").orElseThrow();
    }

    private Phase phase() {
        return release().phase();
    }

    private JournalEntry lastEntry() {
        List<JournalEntry> journal = store.journal("r1");
        return journal.get(journal.size() - 1);
    }

    private static Seen seen(long count, long failed) {
        Tally tally = SampleTally.of(count, failed, Duration.ofMillis(20), LIMIT);
        return SampleSeen.of(tally, Duration.ZERO);
    }
}
