package io.sluice.server.observations;

import io.sluice.core.decision.Lane;
import io.sluice.core.guard.Comparison;
import io.sluice.core.guard.Finding;
import io.sluice.core.guard.Seen;
import io.sluice.core.guard.StageWatch;
import io.sluice.core.guard.StageWatch.Saved;
import io.sluice.core.guard.StageWatch.SavedSide;
import io.sluice.core.observation.CustomerSample;
import io.sluice.core.observation.LaneTally;
import io.sluice.server.observations.EvidenceStore.Part;
import io.sluice.server.observations.EvidenceStore.Piece;
import io.sluice.server.observations.EvidenceStore.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The evidence of one step of one release: a watch for each group of reporters, and what became of each metric. Used by
 * one thread at a time.
 *
 * <p>Each watch takes at most about 0.4 MiB, most of it the customers who had something bad happen, and each metric at
 * most about 8 KiB, however long the step lasts and whoever reports.
 */
final class StageEvidence {
    // A release that is complete is not looked at any more, and its requests never end.
    private static final Duration FOLLOWED = Duration.ofMinutes(10);

    private final StageWatch.Settings settings;
    private final long beganMillis;
    private final long ageMillisAtStart;
    private final long startNanos;
    private final Map<String, StageWatch> watches = new HashMap<>();
    private final Map<String, Map<String, Track>> tracks = new TreeMap<>();
    private final Map<Place, Object> saved = new HashMap<>();
    private long lookedNanos;

    /**
     * A step whose evidence goes on from what was saved, if anything was.
     *
     * @param nowMillis wall clock, for the time that passed before this process
     * @param nowNanos monotonic clock, for everything since
     */
    StageEvidence(StageWatch.Settings settings, Map<Place, String> kept, long nowMillis, long nowNanos) {
        this.settings = settings;
        this.startNanos = nowNanos;
        this.lookedNanos = nowNanos;
        long began = nowMillis;
        for (Map.Entry<Place, String> entry : kept.entrySet()) {
            String reporter = entry.getKey().reporter();
            switch (entry.getKey().part()) {
                case WATCH ->
                    watches.put(
                            reporter,
                            StageWatch.restore(settings, savedWatch(reporter, entry.getValue(), kept), nowNanos));
                case CURVES -> {
                    Curves curves = EvidenceText.readCurves(reporter, entry.getValue());
                    began = Math.min(began, curves.beganMillis());
                    curves.curves().forEach(this::restore);
                }
                // Read with their watch.
                case FAILED, SLOW -> {}
            }
        }
        this.beganMillis = began;
        this.ageMillisAtStart = nowMillis - began;
        changed().forEach(this::noteSaved);
    }

    /** What a watch must not lose, without the customers. */
    record Counts(List<Comparison> comparisons, SavedSide canary, SavedSide stable) {}

    /** @param beganMillis when the step began, by the wall clock */
    record Curves(long beganMillis, List<EvidenceCurve> curves) {}

    void add(String group, String instance, Lane lane, LaneTally report, long now) {
        if (now - lookedNanos > FOLLOWED.toNanos()) {
            return;
        }
        watches.computeIfAbsent(group, any -> StageWatch.start(settings, now)).add(instance, lane, report, now);
    }

    Map<String, Seen> look(long now) {
        lookedNanos = now;
        Map<String, Seen> seen = new HashMap<>();
        watches.forEach((group, watch) -> seen.put(group, watch.look(now)));
        return seen;
    }

    void note(List<Finding> findings, long now) {
        long second = TimeUnit.MILLISECONDS.toSeconds(
                ageMillisAtStart + TimeUnit.NANOSECONDS.toMillis(Math.max(0, now - startNanos)));
        for (Finding finding : findings) {
            Track track = tracks.computeIfAbsent(finding.reporter(), any -> new LinkedHashMap<>())
                    .computeIfAbsent(finding.metric(), any -> new Track(finding, new Curve()));
            track.last = finding;
            track.curve.add(second, finding.value());
        }
    }

    List<EvidenceCurve> curves() {
        return tracks.values().stream().flatMap(StageEvidence::curves).toList();
    }

    /** What is not saved as it is now. */
    List<Piece> changed() {
        List<Piece> pieces = new ArrayList<>();
        watches.forEach((group, watch) -> {
            Saved now = watch.save();
            Counts counts = new Counts(now.comparisons(), now.canary(), now.stable());
            pieces.add(new Piece(new Place(group, Part.WATCH), counts, () -> EvidenceText.write(counts)));
            pieces.add(customers(group, Part.FAILED, now.failedBefore()));
            pieces.add(customers(group, Part.SLOW, now.slowBefore()));
        });
        tracks.forEach((reporter, metrics) -> {
            Curves curves = new Curves(beganMillis, curves(metrics).toList());
            pieces.add(new Piece(new Place(reporter, Part.CURVES), curves, () -> EvidenceText.write(curves)));
        });
        pieces.removeIf(piece -> piece.value().equals(saved.get(piece.place())));
        return pieces;
    }

    void noteSaved(Piece piece) {
        saved.put(piece.place(), piece.value());
    }

    /** After a failure to save: whatever the database has of it now, it is to be written again. */
    void noteUnsaved(Piece piece) {
        saved.remove(piece.place());
    }

    private static Saved savedWatch(String group, String counts, Map<Place, String> kept) {
        Counts known = EvidenceText.readCounts(counts);
        return new Saved(
                known.comparisons(),
                customers(group, Part.FAILED, kept),
                customers(group, Part.SLOW, kept),
                known.canary(),
                known.stable());
    }

    private static CustomerSample customers(String group, Part part, Map<Place, String> kept) {
        String text = kept.get(new Place(group, part));
        return text == null ? CustomerSample.empty() : EvidenceText.readCustomers(text, StageWatch.MOST_CUSTOMERS);
    }

    private static Piece customers(String group, Part part, CustomerSample customers) {
        return new Piece(new Place(group, part), customers, () -> EvidenceText.write(customers));
    }

    private void restore(EvidenceCurve curve) {
        tracks.computeIfAbsent(curve.last().reporter(), any -> new LinkedHashMap<>())
                .put(curve.last().metric(), new Track(curve.last(), Curve.of(curve.points())));
    }

    private static Stream<EvidenceCurve> curves(Map<String, Track> metrics) {
        return metrics.values().stream().map(track -> new EvidenceCurve(track.last, track.curve.points()));
    }

    /** One metric so far. */
    private static final class Track {
        private final Curve curve;
        private Finding last;

        Track(Finding last, Curve curve) {
            this.last = last;
            this.curve = curve;
        }
    }
}
