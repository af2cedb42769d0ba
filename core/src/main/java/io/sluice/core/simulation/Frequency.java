package io.sluice.core.simulation;

/**
 * How often something happened.
 *
 * @param events in how many runs it did, 0..runs
 * @param runs of how many, at least 1
 */
public record Frequency(long events, long runs) {
    public double rate() {
        return (double) events / runs;
    }

    /**
     * The largest probability that is still believable: with a larger one, so few events or fewer would have come with a
     * chance of less than 1 - confidence (Clopper and Pearson, one-sided).
     */
    public double upper(double confidence) {
        if (events >= runs) {
            return 1;
        }
        double low = rate();
        double high = 1;
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            if (atMost(middle) > 1 - confidence) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** The chance of so many events or fewer at probability p. */
    private double atMost(double p) {
        double log = runs * Math.log1p(-p);
        double sum = Math.exp(log);
        for (long k = 1; k <= events; k++) {
            log += Math.log((double) (runs - k + 1) / k) + Math.log(p) - Math.log1p(-p);
            sum += Math.exp(log);
        }
        return sum;
    }
}
