package io.sluice.core.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.decision.Percent;
import io.sluice.core.guard.Baseline;
import io.sluice.core.guard.Clearance;
import io.sluice.core.guard.Crowd;
import io.sluice.core.guard.Finding;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.Metric;
import io.sluice.core.guard.SampleSeen;
import io.sluice.core.guard.Seen;
import io.sluice.core.guard.Tick;
import io.sluice.core.observation.SampleTally;
import io.sluice.core.observation.Tally;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.testing.Requirement;
import io.sluice.testing.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What verdicts lead to, by the plan's policy and pace, and what they are made of. */
class PolicyTest {
    private static final Duration LIMIT = SampleRelease.LIMITS.maxP99();
    private static final Seen GOOD = seen(100, 0);
    private static final Seen BAD = seen(100, 6);
    private static final Seen FEW = seen(10, 10);

    private final InMemoryReleaseStore store = new InMemoryReleaseStore();
    private final InMemoryRuleSource rules = new InMemoryRuleSource();
    private final PublishedWeights weights = PublishedWeights.of("r1", rules);
    private final SettableClock clock = SettableClock.create();
    private final Instant start = clock.instant();
    private final Map<String, Seen> evidence = new HashMap<>(Map.of("order", GOOD, "user", GOOD));
    private MetricSource metrics = MetricSource.none();
    private final Orchestrator orchestrator = new Orchestrator(
            store,
            release -> evidence,
            release -> metrics.of(release),
            new StatePublisher(store, rules),
            clock,
            () -> Duration.between(start, clock.instant()).toNanos());

    @Requirement({"B9", "F28"})
    @Test
    void aBreachStepsBackToTheLastSafeWeightAndStaysThere() {
        begin(SampleRelease.steppingBack(2));
        lookEachSecond(22);
        assertThat(weights.seen()).containsExactly("1%", "5%", "25%");
        evidence.put("user", BAD);

        lookEachSecond(1);
        evidence.put("user", GOOD);
        lookEachSecond(100);

        String why = "user: error_rate=0.0600>0.0200";
        assertThat(phase()).isEqualTo(new Phase.Paused(1, Duration.ZERO, why));
        assertThat(weights.seen()).containsExactly("1%", "5%", "25%", "5%");
        assertThat(release().stepBacks()).isEqualTo(1);
        JournalEntry entry = entries("step-back").get(0);
        assertThat(entry.actor()).isEqualTo("guard");
        assertThat(entry.why()).isEqualTo(why);
        assertThat(entry.outcome()).isEqualTo("paused 5%");
        assertThat(entry.verdict().failures()).isEqualTo(6);
    }

    @Requirement("B9")
    @Test
    void aReleaseGoesOnFromItsStepBackAndAbortsWhenTheStepsAreUsedUp() {
        begin(SampleRelease.steppingBack(1));
        lookEachSecond(22);
        evidence.put("user", BAD);
        lookEachSecond(1);
        evidence.put("user", GOOD);
        command(Command.RESUME);
        lookEachSecond(11);
        assertThat(weights.seen()).containsExactly("1%", "5%", "25%", "5%", "25%");

        evidence.put("user", BAD);
        lookEachSecond(3);

        assertThat(phase()).isEqualTo(new Phase.Aborted("user: error_rate=0.0600>0.0200"));
        assertThat(entries("step-back")).hasSize(1);
        assertThat(entries("abort")).hasSize(1);
    }

    @Requirement("B9")
    @Test
    void aBreachThatGoesOnStepsBackAgain() {
        begin(SampleRelease.steppingBack(2));
        lookEachSecond(33);
        evidence.put("user", BAD);

        lookEachSecond(3);

        assertThat(weights.seen()).containsExactly("1%", "5%", "25%", "50%", "25%", "5%", "0%");
        assertThat(entries("step-back")).hasSize(2);
        assertThat(release().stepBacks()).isEqualTo(2);
    }

    @Requirement({"F21", "F31"})
    @Test
    void anOperatorsAbortStandsBesideAStepBackThatCameTooLate() {
        begin(SampleRelease.steppingBack(2));
        lookEachSecond(12);
        Orchestrator slow = new Orchestrator(
                store,
                subject -> {
                    orchestrator.command(
                            subject.release(), Command.ABORT, "alice", "wrong totals", Expected.anything());
                    return Map.of("order", BAD, "user", BAD);
                },
                MetricSource.none(),
                new StatePublisher(store, rules),
                clock,
                () -> 0);

        slow.look();

        assertThat(phase()).isEqualTo(new Phase.Aborted("wrong totals"));
        assertThat(entries("step-back")).isEmpty();
        assertThat(release().stepBacks()).isZero();
    }

    @Requirement("F31")
    @Test
    void aHundredAbortsAtOnceAreOneEvent() throws Exception {
        begin(SampleRelease.PLAN);
        long before = release().revision();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Release>> aborts = IntStream.range(0, 100)
                    .mapToObj(i -> (Callable<Release>) () -> orchestrator.command(
                            "r1", Command.ABORT, "operator " + i, "reason " + i, Expected.anything()))
                    .toList();

            List<Future<Release>> after = threads.invokeAll(aborts);

            for (Future<Release> one : after) {
                assertThat(one.get()).isEqualTo(release());
            }
        } finally {
            threads.shutdownNow();
        }
        JournalEntry abort = entries("abort").get(0);
        assertThat(entries("abort")).hasSize(1);
        assertThat(release().revision()).isEqualTo(before + 1);
        assertThat(phase()).isEqualTo(new Phase.Aborted(abort.why()));
    }

    @Requirement({"B7", "L3"})
    @Test
    void tooLongAHoldPausesAndTellsWhy() {
        begin(SampleRelease.onHold(Policy.OnHold.PAUSE));
        evidence.put("user", FEW);

        lookEachSecond(69);
        assertThat(phase()).isEqualTo(new Phase.Ramping(0, Duration.ofSeconds(69)));
        lookEachSecond(100);

        String why = "on hold for 1m: user: insufficient_samples";
        assertThat(phase()).isEqualTo(new Phase.Paused(0, Duration.ofSeconds(70), why));
        JournalEntry entry = entries("pause").get(0);
        assertThat(entries("pause")).hasSize(1);
        assertThat(entry.actor()).isEqualTo("guard");
        assertThat(entry.why()).isEqualTo(why);
        assertThat(entry.outcome()).isEqualTo("paused 1%");
        assertThat(entry.verdict().samples()).isEqualTo(10);
        assertThat(weights.seen()).containsExactly("1%");
    }

    @Requirement({"B7", "L3"})
    @Test
    void aResumedReleaseMayBeOnHoldForTheWholeLimitAgain() {
        begin(SampleRelease.onHold(Policy.OnHold.PAUSE));
        evidence.put("user", FEW);
        lookEachSecond(71);
        command(Command.RESUME);
        orchestrator.look();

        lookEachSecond(59);
        assertThat(phase()).isInstanceOf(Phase.Ramping.class);
        evidence.put("user", GOOD);
        lookEachSecond(1);

        assertThat(weights.seen()).containsExactly("1%", "5%");
    }

    @Requirement({"B7", "L3"})
    @Test
    void tooLongAHoldAbortsWhereThePlanSaysSo() {
        begin(SampleRelease.onHold(Policy.OnHold.ABORT));
        evidence.clear();

        lookEachSecond(71);

        assertThat(phase()).isEqualTo(new Phase.Aborted("on hold for 1m: order: no_data"));
        assertThat(lastEntry().actor()).isEqualTo("guard");
        assertThat(lastEntry().action()).isEqualTo("abort");
        assertThat(lastEntry().why()).isEqualTo("on hold for 1m: order: no_data");
    }

    @Requirement({"B7", "L3"})
    @Test
    void aPlanMayWaitForEver() {
        begin(SampleRelease.onHold(Policy.OnHold.WAIT));
        evidence.clear();

        lookEachSecond(1_000);

        assertThat(phase()).isEqualTo(new Phase.Ramping(0, Duration.ofSeconds(1_000)));
    }

    @Requirement({"B7", "L3"})
    @Test
    void aStageWaitsForTheSamplesItAsksFor() {
        Stage first = new Stage(Percent.of(1), SampleRelease.HOLD, 500);
        begin(new Plan(List.of(first, new Stage(Percent.HUNDRED, SampleRelease.HOLD)), SampleRelease.LIMITS));
        evidence.put("order", seen(500, 0));
        evidence.put("user", seen(499, 0));
        lookEachSecond(50);
        assertThat(orchestrator.verdict("r1").describe()).isEqualTo("user: insufficient_samples");
        assertThat(weights.seen()).containsExactly("1%");

        evidence.put("user", seen(500, 0));
        lookEachSecond(1);

        assertThat(weights.seen()).containsExactly("1%", "100%");
    }

    @Requirement({"B7", "L3"})
    @Test
    void atThePaceOfEvidenceAStageWaitsUntilTheErrorRateIsShown() {
        long needed = Clearance.requestsNeeded(SampleRelease.LIMITS.maxErrorRate());
        begin(new Plan(
                SampleRelease.PLAN.stages(),
                SampleRelease.LIMITS,
                Baseline.DEFAULT,
                List.of(),
                Policy.DEFAULT,
                Pace.EVIDENCE,
                0));
        evidence.put("order", seen(needed, 0));
        evidence.put("user", seen(needed - 1, 0));
        lookEachSecond(50);
        assertThat(needed).isGreaterThan(SampleRelease.LIMITS.minSamples());
        assertThat(weights.seen()).containsExactly("1%");

        evidence.put("user", seen(needed, 0));
        lookEachSecond(1);

        assertThat(weights.seen()).containsExactly("1%", "5%");
    }

    @Requirement("B4")
    @Test
    void aMetricOfAnotherSystemTakesTheReleaseBack() {
        begin(SampleRelease.PLAN);
        metrics = release -> List.of(
                finding("cart", true, Health.BREACH, "cart=3.2>2"), finding("heap", false, Health.BREACH, "heap=9>1"));

        orchestrator.look();

        assertThat(phase()).isEqualTo(new Phase.Aborted("metrics: cart=3.2>2"));
        assertThat(lastEntry().verdict().findings()).extracting(Finding::metric).containsSubsequence("cart", "heap");
    }

    @Test
    void aMetricThatIsOnlyShownDecidesNothing() {
        begin(SampleRelease.PLAN);
        metrics = release -> List.of(finding("heap", false, Health.BREACH, "heap=9>1"));

        lookEachSecond(10);

        assertThat(weights.seen()).containsExactly("1%", "5%");
    }

    @Requirement({"B7", "L3"})
    @Test
    void aMetricSourceThatThrowsIsOnHoldAndStopsNoLook() {
        begin(withMetrics(true));
        metrics = release -> {
            throw new IllegalStateException("connection \u001b[2J refused");
        };
        lookEachSecond(20);
        assertThat(orchestrator.verdict("r1").describe()).isEqualTo("metrics: source_error");
        assertThat(orchestrator.verdict("r1").findings())
                .filteredOn(finding -> finding.metric().equals("cart"))
                .extracting(Finding::reason)
                .containsExactly("the source failed: java.lang.IllegalStateException: connection \\u001b[2J refused");
        assertThat(weights.seen()).containsExactly("1%");

        evidence.put("user", BAD);
        orchestrator.look();

        assertThat(phase()).isInstanceOf(Phase.Aborted.class);
    }

    @Requirement({"B7", "L3"})
    @Test
    void aMetricThatItsSourceKeepsSilentAboutIsOnHold() {
        begin(withMetrics(true));
        lookEachSecond(20);
        assertThat(orchestrator.verdict("r1").describe()).isEqualTo("metrics: source_error");

        metrics = release -> List.of(finding("cart", true, Health.HEALTHY, "cart=1"));
        lookEachSecond(1);

        assertThat(weights.seen()).containsExactly("1%", "5%");
    }

    @Test
    void aFailingSourceOfMetricsThatAreOnlyShownHoldsNothingUp() {
        begin(withMetrics(false));

        lookEachSecond(10);

        assertThat(weights.seen()).containsExactly("1%", "5%");
    }

    @Requirement({"B7", "L3"})
    @Test
    void anEdgeThatSeesAnotherShareHoldsTheReleaseHoweverLittleCanaryItSaw() {
        begin(new Plan(
                List.of(new Stage(Percent.of(25), SampleRelease.HOLD), new Stage(Percent.HUNDRED, SampleRelease.HOLD)),
                SampleRelease.LIMITS));
        Tally few = SampleTally.of(10, 0, Duration.ofMillis(20), LIMIT);
        evidence.put(
                Evidence.EDGES,
                new Seen(
                        few, few, GOOD.stable(), Duration.ZERO, Duration.ZERO, List.of(), new Crowd(10, 1_000, 1_010)));

        lookEachSecond(20);

        assertThat(orchestrator.verdict("r1").describe()).isEqualTo("(edges): sample_ratio_mismatch");
        assertThat(weights.seen()).containsExactly("25%");
    }

    @Requirement("B4")
    @Test
    void aVerdictCarriesWhatEverybodyFound() {
        begin(SampleRelease.PLAN);
        evidence.put(Evidence.EDGES, GOOD);

        orchestrator.look();

        assertThat(orchestrator.verdict("r1").findings())
                .extracting(Finding::reporter)
                .contains("order", "user", Evidence.EDGES);
    }

    private static Finding finding(String metric, boolean critical, Health health, String reason) {
        return new Finding("metrics", metric, critical, health, reason, Tick.NOTHING, 3.2, 2);
    }

    private static Plan withMetrics(boolean critical) {
        Metric cart = new Metric("cart", critical, new Metric.Limit("carts", 2));
        return new Plan(
                SampleRelease.PLAN.stages(),
                SampleRelease.LIMITS,
                Baseline.DEFAULT,
                List.of(cart),
                Policy.DEFAULT,
                Pace.TIME,
                0);
    }

    private void begin(Policy policy) {
        begin(SampleRelease.plan(policy));
    }

    private void begin(Plan plan) {
        orchestrator.create(SampleRelease.spec(plan, "r1", "order", "user"), "alice", "new pricing");
        orchestrator.command("r1", Command.START, "alice", "go", Expected.anything());
        orchestrator.look();
    }

    private void lookEachSecond(int times) {
        for (int i = 0; i < times; i++) {
            clock.advance(Duration.ofSeconds(1));
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

    private List<JournalEntry> entries(String action) {
        return store.journal("r1").stream()
                .filter(entry -> entry.action().equals(action))
                .toList();
    }

    private static Seen seen(long count, long failed) {
        Tally tally = SampleTally.of(count, failed, Duration.ofMillis(20), LIMIT);
        return SampleSeen.of(tally, Duration.ZERO);
    }
}
