package io.sluice.core.simulation;

import io.sluice.core.guard.Compared;
import io.sluice.core.guard.Comparison;
import io.sluice.core.guard.Seen;
import io.sluice.core.observation.Tally;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What came of one stage that was simulated: when the guard would have taken the release back, if ever. */
public final class Run {
    private final List<Double> alphas;
    private final Map<Compared, @Nullable Moment[]> worse = new EnumMap<>(Compared.class);
    private @Nullable Moment overLimit;
    private Moment end = new Moment(0, 0);
    private long ticks;
    private double peakErrorRate;

    /**
     * A moment of a run.
     *
     * @param requests canary requests until then
     * @param seconds since the stage began
     */
    public record Moment(long requests, double seconds) {}

    Run(List<Double> alphas) {
        this.alphas = alphas;
        for (Compared metric : Compared.values()) {
            worse.put(metric, new Moment[alphas.size()]);
        }
    }

    /** When a hard limit was broken. */
    public Optional<Moment> overLimit() {
        return Optional.ofNullable(overLimit);
    }

    /** When a comparison that may spend the given one of the simulation's alphas said that canary is worse. */
    public Optional<Moment> worse(Compared metric, double alpha) {
        return Optional.ofNullable(moments(metric)[alphas.indexOf(alpha)]);
    }

    /** When it ended. */
    public Moment end() {
        return end;
    }

    /** How many ticks were closed. */
    public long ticks() {
        return ticks;
    }

    /** The largest error rate that a hard limit would have been held against; 0 without one. */
    public double peakErrorRate() {
        return peakErrorRate;
    }

    /** @param judged what a hard limit is held against */
    void notePeak(Tally judged) {
        peakErrorRate = Math.max(peakErrorRate, (double) judged.failed() / judged.count());
    }

    void note(Seen seen, boolean isOverLimit, double seconds) {
        end = new Moment(seen.canary().count(), seconds);
        if (isOverLimit && overLimit == null) {
            overLimit = end;
        }
        if (seen.comparisons().get(0).detector().ticks() > ticks) {
            ticks = seen.comparisons().get(0).detector().ticks();
            seen.comparisons().forEach(this::note);
        }
    }

    private void note(Comparison comparison) {
        @Nullable Moment[] moments = moments(comparison.metric());
        double evidence = comparison.detector().evidence();
        for (int i = 0; i < moments.length; i++) {
            if (moments[i] == null && evidence >= 1 / alphas.get(i)) {
                moments[i] = end;
            }
        }
    }

    private @Nullable Moment[] moments(Compared metric) {
        return Objects.requireNonNull(worse.get(metric));
    }
}
