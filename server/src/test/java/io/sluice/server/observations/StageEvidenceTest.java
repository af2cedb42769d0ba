package io.sluice.server.observations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Lane;
import io.sluice.core.guard.Compared;
import io.sluice.core.guard.Comparison;
import io.sluice.core.guard.ErrorRate;
import io.sluice.core.guard.Finding;
import io.sluice.core.guard.Guard;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.Seen;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.guard.Tick;
import io.sluice.core.guard.Verdict;
import io.sluice.core.observation.LaneTally;
import io.sluice.core.observation.ObservationKey;
import io.sluice.core.release.Command;
import io.sluice.core.release.Evidence;
import io.sluice.core.release.Plan;
import io.sluice.core.release.Release;
import io.sluice.core.release.ReleaseSpec;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.RuleSet;
import io.sluice.server.TestDatabase;
import io.sluice.testing.Requirement;
import io.sluice.testing.SettableClock;
import io.sluice.wire.ObservationBatch;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What of all that is reported becomes evidence, and that a restart neither loses it nor begins it anew. */
class StageEvidenceTest {
    private static final Thresholds LIMITS =
            new Thresholds(100, ErrorRate.parse("50%"), Duration.ofMillis(300), Duration.ofSeconds(30));

    private final TestDatabase database = TestDatabase.create();
    private final FewReleases releases = new FewReleases();
    private final InMemoryRuleSource rules = new InMemoryRuleSource();
    private final SettableClock clock = SettableClock.create();
    private final AtomicLong nanos = new AtomicLong(-5);
    private final Map<String, Long> sequences = new HashMap<>();
    private Observations observations = fresh();
    private Release release;
    private long revision;

    @BeforeEach
    void started() {
        Plan plan = Plan.canary(Duration.ofMinutes(1), LIMITS);
        release = Release.draft(new ReleaseSpec(
                        "release",
                        "v2",
                        List.of("order"),
                        Bucketing.of(BucketHash.FNV1A_MIXED, "salt"),
                        Set.of(),
                        List.of(),
                        plan))
                .on(Command.START, "");
        publish();
    }

    @Test
    @Requirement("B5")
    void anErrorThatSeveralInstancesTellOfIsOneCustomersFirst() {
        long[] customers = Crowds.customers(1, 200);
        report("a", Lane.CANARY, Crowds.of(customers, 3));
        report("b", Lane.CANARY, Crowds.of(customers, 3));
        report("c", Lane.STABLE, Crowds.of(Crowds.customers(2, 1000), 5));
        report("d", Lane.STABLE, Crowds.of(Crowds.customers(2, 1000), 5));

        Tick errors = errors(lookAfterATick()).counts();

        assertThat(errors.canaryBad()).isEqualTo(3);
        assertThat(errors.stableBad()).isEqualTo(5);
        assertThat(errors.canary()).isBetween(190L, 210L);
        assertThat(errors.stable()).isBetween(950L, 1050L);
    }

    @Test
    @Requirement("B5")
    void allEdgesTogetherAreOneReporter() {
        report("edge-1", "gateway-a", Lane.CANARY, Crowds.of(Crowds.customers(1, 100), 2));
        report("edge-2", "gateway-b", Lane.CANARY, Crowds.of(Crowds.customers(1, 100), 2));
        tick();

        Map<String, Seen> seen = observations.of(release.subject());

        assertThat(seen).containsOnlyKeys(Evidence.EDGES);
        assertThat(errors(seen.get(Evidence.EDGES)).counts().canaryBad()).isEqualTo(2);
        assertThat(observations.totals("release", release.step())).containsOnlyKeys("gateway-a", "gateway-b");
    }

    @Test
    @Requirement({"C9", "B6"})
    void aRestartGoesOnWithWhatTheDetectorsKnew() {
        for (int i = 0; i < 20; i++) {
            report("a", Lane.CANARY, Crowds.of(Crowds.customers(i, 100), i % 3 == 0 ? 2 : 0));
            report("a", Lane.STABLE, Crowds.of(Crowds.customers(1000 + i, 900), 4));
            lookAfterATick();
        }
        Seen before = seen();
        observations.save();

        observations = fresh();
        Seen after = seen();

        for (Compared metric : Compared.values()) {
            Comparison known = comparison(before, metric);
            assertThat(comparison(after, metric).detector().logs())
                    .isEqualTo(known.detector().logs());
            assertThat(comparison(after, metric).detector().ticks())
                    .isEqualTo(known.detector().ticks())
                    .isEqualTo(20);
            assertThat(comparison(after, metric).counts()).isEqualTo(known.counts());
        }
        assertThat(after.crowd()).isEqualTo(before.crowd());
        assertThat(after.canary()).isEqualTo(before.canary());
        assertThat(after.silence()).isGreaterThan(Duration.ofDays(365));
        assertThat(after.stableSilence()).isGreaterThan(Duration.ofDays(365));
    }

    @Test
    @Requirement("C9")
    void noRestartMakesAnErrorTheFirstOneAgain() {
        long[] customers = Crowds.customers(1, 100);
        report("a", Lane.CANARY, Crowds.of(customers, 4));
        report("a", Lane.STABLE, Crowds.of(Crowds.customers(2, 900), 9));
        assertThat(errors(lookAfterATick()).counts().canaryBad()).isEqualTo(4);
        for (int restart = 0; restart < 5; restart++) {
            observations.save();
            observations = fresh();
            report("a", Lane.CANARY, Crowds.of(customers, 4));
            report("a", Lane.STABLE, Crowds.of(Crowds.customers(2, 900), 9));
            lookAfterATick();
        }

        assertThat(errors(seen()).counts().canaryBad()).isEqualTo(4);
        assertThat(errors(seen()).counts().stableBad()).isEqualTo(9);
        assertThat(errors(seen()).detector().ticks()).isEqualTo(6);
    }

    @Test
    @Requirement("C9")
    void whatCouldNotBeSavedIsSavedLaterAndNothingOfItAlone() {
        report("a", Lane.CANARY, Crowds.of(Crowds.customers(1, 100), 4));
        lookAfterATick();
        database.jdbc().sql("alter table step_evidence rename to away").update();
        assertThatThrownBy(() -> observations.save()).isInstanceOf(RuntimeException.class);
        assertThat(database.jdbc()
                        .sql("select count(*) from step_tally")
                        .query(Integer.class)
                        .single())
                .isZero();
        database.jdbc().sql("alter table away rename to step_evidence").update();

        observations.save();

        observations = fresh();
        assertThat(errors(seen()).counts().canaryBad()).isEqualTo(4);
        assertThat(observations.totals("release", 1)).containsOnlyKeys("order");
    }

    @Test
    @Requirement("F28")
    void badSamplesOfTheStageBeforeAreNoEvidenceAgainstThisOne() {
        report("a", Lane.CANARY, Crowds.of(Crowds.customers(1, 500), 500));
        lookAfterATick();
        promote();

        report("a", 1, Lane.CANARY, Crowds.of(Crowds.customers(2, 500), 500));
        assertThat(observations.of(release.subject())).isEmpty();

        report("a", Lane.CANARY, Crowds.of(Crowds.customers(3, 500), 0));
        report("a", 1, Lane.CANARY, Crowds.of(Crowds.customers(4, 500), 500));
        Seen seen = lookAfterATick();

        assertThat(new Guard(LIMITS).judge(seen.window(), seen.silence()).health())
                .isEqualTo(Health.HEALTHY);
        assertThat(errors(seen).counts().canaryBad()).isZero();
        assertThat(errors(seen).detector().ticks()).isEqualTo(1);
    }

    @Test
    @Requirement("F28")
    void goodSamplesOfTheStageBeforeDoNotExcuseThisOne() {
        report("a", Lane.CANARY, Crowds.of(Crowds.customers(1, 5000), 0));
        lookAfterATick();
        promote();

        report("a", 1, Lane.CANARY, Crowds.of(Crowds.customers(2, 5000), 0));
        report("a", Lane.CANARY, Crowds.of(Crowds.customers(3, 100), 51));
        Seen seen = lookAfterATick();

        assertThat(seen.canary().count()).isEqualTo(100);
        assertThat(new Guard(LIMITS).judge(seen.window(), seen.silence()).health())
                .isEqualTo(Health.BREACH);
    }

    @Test
    void aStageThatIsOlderThanTheNewestTwoIsPassedOver() {
        promote();
        promote();

        report("a", 1, Lane.CANARY, Crowds.of(Crowds.customers(1, 10), 0));
        report("a", 2, Lane.CANARY, Crowds.of(Crowds.customers(1, 10), 0));

        assertThat(observations.totals("release", 1)).isEmpty();
        assertThat(observations.totals("release", 2)).containsOnlyKeys("order");
        assertThat(observations.of(release.subject())).isEmpty();
    }

    @Test
    void aStageThatHasNotBegunIsPassedOver() {
        report("a", 2, Lane.CANARY, Crowds.of(Crowds.customers(1, 10), 0));
        report("a", Long.MAX_VALUE >> 11, Lane.CANARY, Crowds.of(Crowds.customers(1, 10), 0));
        promote();

        assertThat(observations.of(release.subject())).isEmpty();
        assertThat(observations.totals("release", 2)).isEmpty();
    }

    @Test
    void batchesInAnyOrderCountOnceEach() {
        ObservationBatch first = batch("a", 1);
        ObservationBatch second = batch("a", 2);
        ObservationBatch fourth = batch("a", 4);

        List.of(fourth, second, first, second, fourth, first).forEach(observations::take);

        assertThat(seen().canary().count()).isEqualTo(30);
    }

    @Test
    void aBatchThatComesTooLateToTellIsPassedOver() {
        observations.take(batch("a", 1));
        observations.take(batch("a", 100));

        observations.take(batch("a", 1));
        observations.take(batch("a", 36));
        observations.take(batch("a", 37));
        observations.take(batch("a", 37));

        assertThat(seen().canary().count()).isEqualTo(30);
    }

    @Test
    void twoProcessesUnderOneNameBothCount() {
        for (int i = 0; i < 3; i++) {
            observations.take(batch("a", i));
            observations.take(anotherRun(batch("a", i)));
            observations.take(batch("a", i));
            observations.take(anotherRun(batch("a", i)));
        }

        assertThat(seen().canary().count()).isEqualTo(60);
        assertThat(observations.heardWithin(Duration.ofSeconds(5)))
                .extracting(Observations.Heard::instance)
                .containsExactly("a");
    }

    @Test
    void twoProcessesUnderOneNameBothHaveRequestsUnderWay() {
        LaneTally overdue =
                new LaneTally(Crowds.requests(0, 0, 0), LaneTally.empty().customers(), 7);
        ObservationBatch batch =
                new ObservationBatch("a", "order", "v2", 1, 1, List.of(entry(1, Lane.CANARY, overdue)));

        observations.take(batch);
        observations.take(anotherRun(batch));

        assertThat(seen().window().slow()).isEqualTo(14);
        assertThat(seen().canary().count()).isZero();
        assertThat(observations.totals("release", 1)).isEmpty();
    }

    @Test
    void anInstanceThatNobodyKnowsCountsAndIsListed() {
        report("never-heard-of", Lane.CANARY, Crowds.of(Crowds.customers(1, 10), 0));
        nanos.addAndGet(Duration.ofSeconds(4).toNanos());
        report("another", Lane.CANARY, Crowds.of(Crowds.customers(2, 10), 0));

        assertThat(seen().canary().count()).isEqualTo(20);
        assertThat(seen().silence()).isZero();
        assertThat(observations.heardWithin(Duration.ofSeconds(15)))
                .extracting(Observations.Heard::instance, Observations.Heard::lastSeenMillisAgo)
                .containsExactly(tuple("never-heard-of", 4000L), tuple("another", 0L));
    }

    @Test
    void inventedInstancesHaveABoundedNumberOfRequestsUnderWay() {
        LaneTally overdue =
                new LaneTally(Crowds.requests(0, 0, 0), LaneTally.empty().customers(), 1);
        for (int i = 0; i < 3000; i++) {
            report("i" + i, Lane.CANARY, overdue);
        }

        assertThat(seen().window().slow()).isEqualTo(1000);
    }

    @Test
    void numbersThatNoSumCouldHoldArePassedOver() {
        report("a", Lane.CANARY, LaneTally.of(Crowds.requests(1_000_000_001, 0, 300)));
        report(
                "a",
                Lane.CANARY,
                new LaneTally(Crowds.requests(1, 0, 300), LaneTally.empty().customers(), Long.MAX_VALUE));

        assertThat(observations.of(release.subject())).isEmpty();
    }

    @Test
    void aClockThatRunsBackStandsStill() {
        report("a", Lane.CANARY, Crowds.of(Crowds.customers(1, 100), 1));
        lookAfterATick();
        nanos.addAndGet(-Duration.ofDays(3).toNanos());
        clock.advance(Duration.ofDays(-3));

        report("a", Lane.CANARY, Crowds.of(Crowds.customers(2, 100), 1));
        Seen seen = seen();
        observations.judged(release.subject(), verdict(1));
        observations.save();

        assertThat(seen.canary().count()).isEqualTo(200);
        assertThat(seen.silence()).isZero();
        assertThat(errors(seen).detector().ticks()).isEqualTo(1);
        assertThat(observations.curves("release", 1).get(0).points()).containsExactly(new EvidenceCurve.Point(0, 1));
    }

    @Test
    void reportsAfterAnAbortAreOnRecordAndNoEvidence() {
        report("a", Lane.CANARY, Crowds.of(Crowds.customers(1, 10), 0));
        observations.judged(release.subject(), verdict(0.5));
        Release live = release;
        release = release.on(Command.ABORT, "stop");
        publish();

        report("a", 1, Lane.CANARY, Crowds.of(Crowds.customers(2, 10), 10));
        report("a", release.step(), Lane.STABLE, Crowds.of(Crowds.customers(2, 10), 0));
        observations.save();

        assertThat(observations.totals("release", 1).get("order").canary().count())
                .isEqualTo(20);
        assertThat(observations
                        .totals("release", release.step())
                        .get("order")
                        .stable()
                        .count())
                .isEqualTo(10);
        assertThat(observations.of(release.subject())).isEmpty();
        assertThat(observations.curves("release", live.step())).hasSize(1);
    }

    @Test
    @Requirement("C10")
    void theCurvesOfAStageOutliveItAndTheProcess() {
        for (int second = 0; second < 1000; second++) {
            observations.of(release.subject());
            observations.judged(release.subject(), verdict(second));
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        }
        observations.save();
        promote();
        observations.save();
        List<EvidenceCurve> before = observations.curves("release", 1);

        observations = fresh();

        assertThat(before).hasSize(1);
        assertThat(before.get(0).points()).hasSizeBetween(100, 200);
        assertThat(before.get(0).points().get(0)).isEqualTo(new EvidenceCurve.Point(0, 0));
        assertThat(before.get(0).last()).isEqualTo(finding(999));
        assertThat(observations.curves("release", 1)).isEqualTo(before);
        assertThat(observations.curves("release", 2)).isEmpty();
    }

    @Test
    void aCurveGoesOnAfterARestartWhereTheWallClockSaysItIs() {
        observations.judged(release.subject(), verdict(1));
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
        clock.advance(Duration.ofSeconds(10));
        observations.judged(release.subject(), verdict(2));
        observations.save();

        clock.advance(Duration.ofSeconds(30));
        observations = fresh();
        nanos.set(77);
        observations.judged(release.subject(), verdict(3));
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        observations.judged(release.subject(), verdict(4));

        assertThat(observations.curves("release", 1).get(0).points())
                .containsExactly(
                        new EvidenceCurve.Point(0, 1),
                        new EvidenceCurve.Point(10, 2),
                        new EvidenceCurve.Point(40, 3),
                        new EvidenceCurve.Point(45, 4));
    }

    @Test
    void whatAStageThatIsOverNeedsToGoOnIsDropped() {
        report("a", Lane.CANARY, Crowds.of(Crowds.customers(1, 100), 4));
        lookAfterATick();
        observations.judged(release.subject(), verdict(1));
        observations.save();
        promote();
        report("a", Lane.CANARY, Crowds.of(Crowds.customers(2, 100), 4));
        observations.save();

        assertThat(database.jdbc()
                        .sql("select part from step_evidence where step = 1")
                        .query(String.class)
                        .list())
                .containsExactly("curves");
        assertThat(database.jdbc()
                        .sql("select part from step_evidence where step = 2")
                        .query(String.class)
                        .list())
                .contains("watch");
    }

    @Test
    void whatDoesNotChangeIsNotWrittenAgain() {
        report("a", Lane.CANARY, Crowds.of(Crowds.customers(1, 100), 4));
        lookAfterATick();
        observations.judged(release.subject(), verdict(1));
        observations.save();
        database.jdbc().sql("update step_evidence set content = 'as it was'").update();
        observations.save();

        assertThat(database.jdbc()
                        .sql("select distinct content from step_evidence")
                        .query(String.class)
                        .list())
                .containsExactly("as it was");

        report("a", Lane.CANARY, Crowds.of(Crowds.customers(2, 100), 0));
        observations.save();

        assertThat(database.jdbc()
                        .sql("select part from step_evidence where content <> 'as it was'")
                        .query(String.class)
                        .list())
                .containsExactly("watch");
    }

    @Test
    void whatNobodyLooksAtAnyMoreIsNotFollowed() {
        report("a", Lane.CANARY, Crowds.of(Crowds.customers(1, 100), 0));
        seen();
        nanos.addAndGet(Duration.ofMinutes(11).toNanos());
        report("a", Lane.CANARY, Crowds.of(Crowds.customers(2, 100), 0));

        assertThat(seen().canary().count()).isEqualTo(100);
        report("a", Lane.CANARY, Crowds.of(Crowds.customers(3, 100), 0));
        assertThat(seen().canary().count()).isEqualTo(200);
        assertThat(observations.totals("release", 1).get("order").canary().count())
                .isEqualTo(300);
    }

    private Observations fresh() {
        return new Observations(
                rules,
                id -> releases.find(id).map(Release::subject),
                new TallyStore(database.jdbc()),
                new EvidenceStore(database.jdbc()),
                database.transaction(),
                clock,
                nanos::get);
    }

    private void promote() {
        release = release.on(Command.PROMOTE, "");
        publish();
    }

    private void publish() {
        releases.put(release);
        rules.offer(RuleSet.of(1, ++revision, release.rule().stream().toList()));
    }

    private void tick() {
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    }

    private Seen lookAfterATick() {
        tick();
        return seen();
    }

    private Seen seen() {
        return observations.of(release.subject()).getOrDefault("order", Seen.NOTHING);
    }

    private static Comparison errors(Seen seen) {
        return comparison(seen, Compared.ERRORS);
    }

    private static Comparison comparison(Seen seen, Compared metric) {
        return seen.comparisons().stream()
                .filter(comparison -> comparison.metric() == metric)
                .findFirst()
                .orElseThrow();
    }

    private static Verdict verdict(double value) {
        return new Verdict(Health.HEALTHY, "healthy", "order", 1, 0, Duration.ZERO).with(List.of(finding(value)));
    }

    private static Finding finding(double value) {
        return new Finding("order", "errors", true, Health.HEALTHY, "", Tick.NOTHING, value, 100);
    }

    private void report(String instance, Lane lane, LaneTally tally) {
        report(instance, release.step(), lane, tally);
    }

    private void report(String instance, long step, Lane lane, LaneTally tally) {
        observations.take(
                new ObservationBatch(instance, "order", "v2", next(instance), 1, List.of(entry(step, lane, tally))));
    }

    private void report(String instance, String service, Lane lane, LaneTally tally) {
        observations.take(new ObservationBatch(
                instance, service, "v2", next(instance), 1, List.of(entry(release.step(), lane, tally))));
    }

    private long next(String instance) {
        return sequences.merge(instance, 1L, Long::sum);
    }

    private static ObservationBatch batch(String instance, long sequence) {
        LaneTally tally = Crowds.of(Crowds.customers(sequence, 10), 0);
        return new ObservationBatch(instance, "order", "v2", sequence, 1, List.of(entry(1, Lane.CANARY, tally)));
    }

    private static ObservationBatch anotherRun(ObservationBatch batch) {
        return new ObservationBatch(
                batch.instance(), batch.service(), batch.version(), batch.sequence(), 2, batch.entries());
    }

    private static ObservationBatch.Entry entry(long step, Lane lane, LaneTally tally) {
        return new ObservationBatch.Entry(new ObservationKey("release", step, lane), tally);
    }
}
