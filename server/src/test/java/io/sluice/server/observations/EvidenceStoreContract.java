package io.sluice.server.observations;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.guard.Compared;
import io.sluice.core.guard.Comparison;
import io.sluice.core.guard.Detector;
import io.sluice.core.guard.Finding;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.StageWatch;
import io.sluice.core.guard.StageWatch.Saved;
import io.sluice.core.guard.StageWatch.SavedSide;
import io.sluice.core.guard.Tick;
import io.sluice.core.observation.CustomerSample;
import io.sluice.core.observation.LaneTally;
import io.sluice.core.observation.Tally;
import io.sluice.server.TestDatabase;
import io.sluice.server.observations.EvidenceCurve.Point;
import io.sluice.server.observations.EvidenceStore.Part;
import io.sluice.server.observations.EvidenceStore.Piece;
import io.sluice.server.observations.EvidenceStore.Place;
import io.sluice.server.observations.StageEvidence.Counts;
import io.sluice.server.observations.StageEvidence.Curves;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What the store of evidence keeps on every database. */
abstract class EvidenceStoreContract {
    // As many as a tally may have.
    private static final int BUCKETS = 698;
    private static final StepKey STEP = new StepKey("release", 2);
    private static final Place WATCH = new Place("order", Part.WATCH);

    private static final StageWatch.Settings SETTINGS =
            new StageWatch.Settings(Duration.ofSeconds(1), 200, Duration.ZERO, Duration.ofMillis(300));

    private final TestDatabase database = database();
    private final EvidenceStore store = new EvidenceStore(database.jdbc());

    /** An empty database. */
    abstract TestDatabase database();

    @Test
    void aPieceReplacesTheOneBefore() {
        save(STEP, new Piece(WATCH, 1, () -> "one"));
        save(STEP, new Piece(WATCH, 2, () -> "two"), new Piece(new Place("order", Part.SLOW), 1, () -> "slow"));
        save(new StepKey("release", 3), new Piece(WATCH, 1, () -> "three"));

        assertThat(store.load(STEP)).isEqualTo(Map.of(WATCH, "two", new Place("order", Part.SLOW), "slow"));
    }

    @Test
    void ofStepsThatAreOverOnlyTheCurvesStay() {
        Place curves = new Place("order", Part.CURVES);
        Curves few = new Curves(0, List.of(new EvidenceCurve(finding("order", 1), List.of(new Point(0, 1)))));
        for (long step = 1; step <= 3; step++) {
            save(
                    new StepKey("release", step),
                    new Piece(WATCH, 1, () -> "watch"),
                    new Piece(curves, 1, () -> EvidenceText.write(few)));
        }
        save(new StepKey("another", 1), new Piece(WATCH, 1, () -> "watch"));

        store.dropBefore(new StepKey("release", 3));

        assertThat(store.load(new StepKey("release", 1))).containsOnlyKeys(curves);
        assertThat(store.load(STEP)).containsOnlyKeys(curves);
        assertThat(store.load(new StepKey("release", 3))).containsOnlyKeys(curves, WATCH);
        assertThat(store.load(new StepKey("another", 1))).containsOnlyKeys(WATCH);
        assertThat(store.loadCurves(STEP)).isEqualTo(few.curves());
    }

    @Test
    void theLargestWatchThereCanBeFits() {
        CustomerSample everybody = CustomerSample.of(
                0, StageWatch.MOST_CUSTOMERS, LongStream.of(Crowds.customers(1, StageWatch.MOST_CUSTOMERS)));
        LaneTally crowd = Crowds.of(Crowds.customers(2, 100_000), 0);
        Map<Integer, Long> buckets = new TreeMap<>();
        IntStream.range(0, BUCKETS).forEach(bucket -> buckets.put(bucket, 1_000_000_000L));
        Tally all = new Tally(1_000_000_000L * BUCKETS, 7, 8, new TreeMap<>(buckets));
        Counts counts = new Counts(
                List.of(new Comparison(
                        Compared.SLOWER_P99,
                        Detector.restore(List.of(1e300, -1e300, 0.1, Math.PI, 1e-300, -0.0), 200, Long.MAX_VALUE),
                        new Tick(Long.MAX_VALUE, 3, 2, 1))),
                new SavedSide(all, crowd.customers().seen(), Long.MAX_VALUE),
                new SavedSide(Tally.empty(), LaneTally.empty().customers().seen(), 0));

        save(
                STEP,
                new Piece(WATCH, 1, () -> EvidenceText.write(counts)),
                new Piece(new Place("order", Part.FAILED), 1, () -> EvidenceText.write(everybody)),
                new Piece(new Place("order", Part.SLOW), 1, () -> EvidenceText.write(CustomerSample.empty())));

        Map<Place, String> loaded = store.load(STEP);
        Counts read = EvidenceText.readCounts(loaded.getOrDefault(WATCH, ""));
        assertThat(read.canary()).isEqualTo(counts.canary());
        assertThat(read.stable()).isEqualTo(counts.stable());
        assertThat(read.comparisons().get(0).counts())
                .isEqualTo(counts.comparisons().get(0).counts());
        assertThat(read.comparisons().get(0).detector().logs())
                .isEqualTo(counts.comparisons().get(0).detector().logs());
        assertThat(read.comparisons().get(0).detector().ticks()).isEqualTo(Long.MAX_VALUE);
        assertThat(customers(loaded, Part.FAILED)).isEqualTo(everybody);
        assertThat(customers(loaded, Part.SLOW)).isEqualTo(CustomerSample.empty());
        assertThat(loaded.values().stream().mapToInt(String::length).sum()).isLessThan(200_000);
    }

    @Test
    void numbersThatJsonHasNoneForComeBack() {
        List<EvidenceCurve> curves = List.of(
                new EvidenceCurve(
                        finding("order", Double.POSITIVE_INFINITY),
                        List.of(new Point(0, 0.5), new Point(1, Double.POSITIVE_INFINITY))),
                new EvidenceCurve(finding("order", Double.NaN), List.of()));

        save(STEP, new Piece(new Place("order", Part.CURVES), 1, () -> EvidenceText.write(new Curves(7, curves))));

        assertThat(store.loadCurves(STEP)).isEqualTo(curves);
    }

    @Test
    void aWatchThatIsRestoredSavesWhatItWasRestoredFrom() {
        Saved saved = StageWatch.start(SETTINGS, 0).save();
        Counts counts = new Counts(saved.comparisons(), saved.canary(), saved.stable());

        assertThat(EvidenceText.write(EvidenceText.readCounts(EvidenceText.write(counts))))
                .isEqualTo(EvidenceText.write(counts));
    }

    private static CustomerSample customers(Map<Place, String> loaded, Part part) {
        return EvidenceText.readCustomers(loaded.getOrDefault(new Place("order", part), ""), StageWatch.MOST_CUSTOMERS);
    }

    private static Finding finding(String reporter, double value) {
        return new Finding(reporter, "errors", true, Health.HEALTHY, "\"why\"", new Tick(4, 3, 2, 1), value, 100);
    }

    private void save(StepKey key, Piece... pieces) {
        database.transaction().executeWithoutResult(status -> store.save(Map.of(key, List.of(pieces))));
    }
}
