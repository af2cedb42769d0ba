package io.sluice.server.metrics;

import io.sluice.core.decision.Lane;
import io.sluice.core.guard.Detector;
import io.sluice.core.guard.Finding;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.Metric;
import io.sluice.core.guard.StageGuard;
import io.sluice.core.guard.Tick;
import io.sluice.core.problem.Problem;
import io.sluice.core.release.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Four counters, bad and total of each lane, held against each other. They are asked for at once, so that a total is
 * never older than its bad ones.
 */
final class CountersQuestion implements Question {
    /** After so long without a tick there is nothing to compare. Longer than a source usually waits between two looks. */
    static final Duration PATIENCE = Duration.ofSeconds(90);

    private static final String TOTAL = "_total";
    private static final String BAD = "_bad";

    // From here on a double does not tell two whole numbers apart.
    private static final double LARGEST = 1L << 53;

    private final Release release;
    private final Metric metric;
    private final Metric.Counters counters;
    private final Findings findings;
    private final CountingStore store;
    private final double limit;
    // Written by one judgement after the other, read by looks.
    private volatile @Nullable Counting counting;
    private Duration closed = Duration.ZERO;

    CountersQuestion(Release release, Metric metric, Metric.Counters counters, CountingStore store) {
        this.release = release;
        this.metric = metric;
        this.counters = counters;
        this.findings = new Findings(metric);
        this.store = store;
        this.limit = 1 / release.guard().alpha();
    }

    @Override
    public String text(Duration elapsed) {
        List<String> parts = new ArrayList<>();
        for (Lane lane : Lane.values()) {
            parts.add(part(lane, BAD, counters.bad(), elapsed));
            parts.add(part(lane, TOTAL, counters.total(), elapsed));
        }
        return String.join(" or ", parts);
    }

    /** The line's end closes a comment in the query. */
    private String part(Lane lane, String suffix, String template, Duration elapsed) {
        String query = Template.fill(template, release, lane, elapsed);
        return "label_replace((" + query + "\n), \"" + Sample.LABEL + "\", \"" + lane.label() + suffix
                + "\", \"\", \"\")";
    }

    @Override
    public Finding judge(List<Sample> answer, Duration elapsed) throws SourceException {
        Counting.Reading now = new Counting.Reading(
                number(answer, Lane.CANARY, TOTAL),
                number(answer, Lane.CANARY, BAD),
                number(answer, Lane.STABLE, TOTAL),
                number(answer, Lane.STABLE, BAD));
        Counting before = counting;
        Counting known = before != null ? before : store.load(release, metric.name());
        Counting next = known == null ? Counting.start(now, release.watching().horizon()) : known.after(now);
        // Saved first: what is not saved is not counted, and comes again with the next reading.
        if (!next.equals(known)) {
            store.save(release, metric.name(), next);
        }
        if (before == null || next.detector().ticks() > before.detector().ticks()) {
            closed = elapsed;
        }
        counting = next;
        return finding(next, now, elapsed.minus(closed));
    }

    @Override
    public Finding unanswered(String why) {
        String query = why.contains(BAD) ? counters.bad() : counters.total();
        String reason = why + " from " + Problem.printable(query);
        Counting known = counting;
        Tick counts = known == null ? Tick.NOTHING : known.counts();
        return findings.of(Health.HOLD, reason, counts, Double.NaN, limit);
    }

    private Finding finding(Counting state, Counting.Reading now, Duration waiting) {
        Detector detector = state.detector();
        Tick counts = state.counts();
        double evidence = detector.evidence();
        if (state.isWorse(limit)) {
            String reason = Finding.accusation(metric.name(), evidence, limit, state.rising());
            return findings.of(Health.BREACH, reason, counts, evidence, limit);
        }
        String hold = reasonToHold(state, now, waiting);
        return hold.isEmpty()
                ? findings.of(Health.HEALTHY, Finding.numbers(counts), counts, evidence, limit)
                : findings.of(Health.HOLD, hold, counts, evidence, limit);
    }

    private static String reasonToHold(Counting state, Counting.Reading now, Duration waiting) {
        if (!state.trouble().isEmpty()) {
            return state.trouble();
        }
        if (waiting.compareTo(PATIENCE) > 0) {
            boolean baseline = now.stable() > state.base().stable();
            return baseline
                    ? "canary's total has not risen for " + waiting.toSeconds() + " s"
                    : StageGuard.NO_BASELINE + ": stable's total has not risen for " + waiting.toSeconds() + " s";
        }
        return state.detector().ticks() == 0 ? "waiting until both totals have risen twice" : "";
    }

    private static long number(List<Sample> answer, Lane lane, String suffix) throws SourceException {
        String part = lane.label() + suffix;
        List<Sample> found =
                answer.stream().filter(sample -> sample.label().equals(part)).toList();
        if (found.size() != 1) {
            throw new SourceException(
                    (found.isEmpty() ? "an empty result" : found.size() + " series in place of one") + " for " + part);
        }
        double value = found.get(0).value();
        if (!(value >= 0 && value < LARGEST)) {
            throw new SourceException(value + " for " + part + ", which is no counter,");
        }
        return Math.round(value);
    }
}
