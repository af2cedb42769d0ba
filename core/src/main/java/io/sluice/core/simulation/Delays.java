package io.sluice.core.simulation;

import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** How long something took in many runs; a run in which it never happened counts as infinite. Immutable. */
public final class Delays {
    private final double[] sorted;

    private Delays(double[] sorted) {
        this.sorted = sorted;
    }

    /** Of moments that some runs never had. */
    public static Delays of(Collection<Optional<Run.Moment>> moments, ToDoubleFunction<Run.Moment> delay) {
        double[] delays = moments.stream()
                .mapToDouble(moment -> moment.map(delay::applyAsDouble).orElse(Double.POSITIVE_INFINITY))
                .sorted()
                .toArray();
        return new Delays(delays);
    }

    /** Of numbers. */
    public static Delays of(double[] delays) {
        double[] sorted = delays.clone();
        Arrays.sort(sorted);
        return new Delays(sorted);
    }

    /** The nearest-rank quantile; infinite when so many runs never had it. */
    public double quantile(int percent) {
        int rank = Math.max(1, (sorted.length * percent + 99) / 100);
        return sorted[rank - 1];
    }

    public double median() {
        return quantile(50);
    }

    /** In how many runs it happened within so long. */
    public Frequency within(double delay) {
        long events = Arrays.stream(sorted).filter(each -> each <= delay).count();
        return new Frequency(events, sorted.length);
    }
}
