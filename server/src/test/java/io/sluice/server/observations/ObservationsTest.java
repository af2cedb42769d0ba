package io.sluice.server.observations;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Lane;
import io.sluice.core.guard.ErrorRate;
import io.sluice.core.guard.Seen;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.observation.LaneTally;
import io.sluice.core.observation.ObservationKey;
import io.sluice.core.observation.Tally;
import io.sluice.core.release.Command;
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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ObservationsTest {
    private final TestDatabase database = TestDatabase.create();
    private final FewReleases releases = new FewReleases();
    private final InMemoryRuleSource rules = new InMemoryRuleSource();
    private final SettableClock clock = SettableClock.create();
    private final AtomicLong nanos = new AtomicLong(-1);
    private Observations observations = fresh();
    private Release release;
    private long sequence;

    @BeforeEach
    void started() {
        Thresholds limits = new Thresholds(1, ErrorRate.parse("2%"), Duration.ofMillis(300), Duration.ofSeconds(30));
        release = Release.draft(new ReleaseSpec(
                        "release",
                        "v2",
                        List.of("order"),
                        Bucketing.of(BucketHash.FNV1A_MIXED, "salt"),
                        Set.of(),
                        List.of(),
                        Plan.canary(Duration.ofMinutes(1), limits)))
                .on(Command.START, "");
        publish(1);
    }

    @Test
    void batchesOfOneReporterAddUp() {
        observations.take(batch(1, Lane.CANARY, 10));
        observations.take(batch(1, Lane.CANARY, 5));
        observations.take(batch(1, Lane.STABLE, 100));

        assertThat(observations.totals("release", 1).get("order").canary().count())
                .isEqualTo(15);
        assertThat(observations.totals("release", 1).get("order").stable().count())
                .isEqualTo(100);
        assertThat(seen().canary().count()).isEqualTo(15);
    }

    @Test
    void aTotalThatIsLargeEnoughStays() {
        for (int i = 0; i < 3000; i++) {
            observations.take(batch(1, Lane.CANARY, 1_000_000_000));
        }

        assertThat(seen().canary().count()).isBetween(1_000_000_000_000L, 1_001_000_000_000L);
    }

    @Test
    void aBatchThatComesAgainCountsOnce() {
        ObservationBatch batch = batch(1, Lane.CANARY, 10);

        observations.take(batch);
        observations.take(batch);

        assertThat(seen().canary().count()).isEqualTo(10);
    }

    @Test
    void anotherRunOfAnInstanceCountsFromTheStart() {
        observations.take(batch(1, Lane.CANARY, 10));
        sequence = 0;
        ObservationBatch first = batch(1, Lane.CANARY, 3);

        observations.take(new ObservationBatch(
                first.instance(), first.service(), first.version(), first.sequence(), 2, first.entries()));

        assertThat(seen().canary().count()).isEqualTo(13);
    }

    @Test
    void anEarlierStepIsOnRecordButNoEvidence() {
        release = release.on(Command.PROMOTE, "");
        publish(2);

        observations.take(batch(1, Lane.CANARY, 10));

        assertThat(observations.of(release.subject())).isEmpty();
        assertThat(observations.totals("release", 1).get("order").canary().count())
                .isEqualTo(10);
    }

    @Test
    void whatBelongsToNoLiveStepIsPassedOver() {
        observations.take(batch(2, Lane.CANARY, 10));
        observations.take(
                new ObservationBatch("a", "order", "v2", 1, 9, List.of(entry("unknown", 1, Lane.CANARY, 10))));

        assertThat(observations.of(release.subject())).isEmpty();
        assertThat(observations.totals("release", 2)).isEmpty();
        assertThat(observations.totals("unknown", 1)).isEmpty();
    }

    @Test
    void silenceCountsFromTheNewestCanaryByTheMonotonicClock() {
        observations.take(batch(1, Lane.CANARY, 10));
        nanos.addAndGet(Duration.ofSeconds(7).toNanos());
        clock.advance(Duration.ofDays(-400));
        observations.take(batch(1, Lane.STABLE, 10));

        assertThat(seen().silence()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    @Requirement("C9")
    void evidenceOutlivesTheProcessButIsSilent() {
        observations.take(batch(1, Lane.CANARY, 10));
        observations.save();

        observations = fresh();

        assertThat(seen().canary().count()).isEqualTo(10);
        assertThat(seen().silence()).isGreaterThan(Duration.ofDays(365));
        observations.take(batch(1, Lane.CANARY, 1));
        assertThat(seen().canary().count()).isEqualTo(11);
        assertThat(seen().silence()).isZero();
    }

    @Test
    void totalsOfStepsThatAreOverComeFromTheDatabase() {
        observations.take(batch(1, Lane.CANARY, 10));
        observations.save();
        release = release.on(Command.PROMOTE, "").on(Command.PROMOTE, "").on(Command.PROMOTE, "");
        publish(2);

        observations.save();

        assertThat(observations.totals("release", 1).get("order").canary()).isEqualTo(tally(10));
    }

    @Test
    void inventedReportersAreBounded() {
        LongStream.rangeClosed(1, 200)
                .mapToObj(i -> new ObservationBatch(
                        "i" + i, "edge" + i, "v2", 1, 1, List.of(entry("release", 1, Lane.CANARY, 1))))
                .forEach(observations::take);
        observations.take(batch(1, Lane.CANARY, 10));

        assertThat(observations.of(release.subject()))
                .hasSizeLessThanOrEqualTo(52)
                .containsKey("order");
    }

    @Test
    void theSeriesHasOnePointASecond() {
        observations.take(batch(1, Lane.CANARY, 10));
        observations.take(batch(1, Lane.CANARY, 5));
        clock.advance(Duration.ofSeconds(2));
        observations.take(batch(1, Lane.CANARY, 1));

        List<Series.Point> points =
                observations.series("release", 120).get("order").get(Lane.CANARY);

        assertThat(points).extracting(Series.Point::count).containsExactly(15L, 1L);
        assertThat(points.get(1).second() - points.get(0).second()).isEqualTo(2);
        assertThat(observations.series("release", 1).get("order").get(Lane.CANARY))
                .hasSize(1);
    }

    @Test
    void theSeriesForgetsWhatIsTenMinutesOld() {
        Series series = new Series();

        LongStream.range(0, 5000).forEach(second -> series.add(second, tally(1)));

        assertThat(series.since(0)).hasSizeLessThanOrEqualTo(601);
        assertThat(series.since(4999)).hasSize(1);
    }

    @Test
    void whoReportsIsKnownForAWhile() {
        observations.take(batch(1, Lane.CANARY, 10));
        nanos.addAndGet(Duration.ofSeconds(3).toNanos());

        assertThat(observations.heardWithin(Duration.ofSeconds(15)))
                .containsExactly(new Observations.Heard("order@here", "order", "v2", 3000));
        assertThat(observations.heardWithin(Duration.ofSeconds(2))).isEmpty();
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

    private void publish(long revision) {
        releases.put(release);
        rules.offer(RuleSet.of(1, revision, release.rule().stream().toList()));
    }

    private Seen seen() {
        return observations.of(release.subject()).get("order");
    }

    private ObservationBatch batch(long step, Lane lane, long count) {
        return new ObservationBatch(
                "order@here", "order", "v2", ++sequence, 1, List.of(entry("release", step, lane, count)));
    }

    private static ObservationBatch.Entry entry(String release, long step, Lane lane, long count) {
        return new ObservationBatch.Entry(new ObservationKey(release, step, lane), LaneTally.of(tally(count)));
    }

    private static Tally tally(long count) {
        return new Tally(count, 0, 0, new TreeMap<>(Map.of(300, count)));
    }
}
