package io.sluice.core.simulation;

import java.util.SplittableRandom;

/** Random numbers of the distributions that traffic is made of; the same seed gives the same ones. Not for threads. */
public final class Chance {
    // Up to so many expected hits it is quicker to go from hit to hit than to split the range.
    private static final double FEW = 20;

    private final SplittableRandom random;

    private Chance(SplittableRandom random) {
        this.random = random;
    }

    /** That of one run; runs of one seed are independent of each other. */
    public static Chance of(long seed, long run) {
        // Split, since generators that start at neighbouring seeds give related numbers.
        return new Chance(
                new SplittableRandom(new SplittableRandom(seed).nextLong() ^ (run + 1) * 0x9e3779b97f4a7c15L).split());
    }

    /** Within 0 (inclusive) and 1 (exclusive). */
    public double uniform() {
        return random.nextDouble();
    }

    /** Whether something of this probability happens. */
    public boolean happens(double probability) {
        return random.nextDouble() < probability;
    }

    /** 0..n-1, all alike. */
    public int below(int n) {
        return random.nextInt(n);
    }

    /** Any number, all alike: the hash of a customer. */
    public long bits() {
        return random.nextLong();
    }

    /** How many of n trials succeed; exact. */
    public long binomial(long n, double p) {
        if (p <= 0 || n <= 0) {
            return 0;
        }
        if (p >= 1) {
            return n;
        }
        if (p > 0.5) {
            return n - binomial(n, 1 - p);
        }
        return n * p <= FEW ? hits(n, p) : split(n, p);
    }

    /** From one success to the next: the trials between them have a geometric distribution. */
    private long hits(long n, double p) {
        double scale = 1 / Math.log1p(-p);
        long hits = 0;
        double at = 0;
        while (true) {
            at += Math.floor(Math.log(1 - random.nextDouble()) * scale) + 1;
            if (at > n) {
                return hits;
            }
            hits++;
        }
    }

    /** The middle one of n uniform numbers says how many lie on which side of p (Devroye, 1986, X.4.3). */
    private long split(long n, double p) {
        long middle = (n + 1) / 2;
        double at = beta(middle, n + 1.0 - middle);
        return at <= p ? middle + binomial(n - middle, (p - at) / (1 - at)) : binomial(middle - 1, p / at);
    }

    /** Events of a Poisson process; for small means. */
    public int poisson(double mean) {
        double limit = Math.exp(-mean);
        int events = 0;
        for (double product = random.nextDouble(); product > limit; product *= random.nextDouble()) {
            events++;
        }
        return events;
    }

    public double beta(double a, double b) {
        double x = gamma(a);
        double y = gamma(b);
        return x + y == 0 ? 0 : x / (x + y);
    }

    /** Of shape a and scale 1 (Marsaglia and Tsang, 2000). */
    private double gamma(double a) {
        if (a < 1) {
            return gamma(a + 1) * Math.pow(random.nextDouble(), 1 / a);
        }
        double d = a - 1 / 3.0;
        double c = 1 / Math.sqrt(9 * d);
        while (true) {
            double x = random.nextGaussian();
            double v = 1 + c * x;
            v = v * v * v;
            if (v > 0 && Math.log(1 - random.nextDouble()) < 0.5 * x * x + d - d * v + d * Math.log(v)) {
                return d * v;
            }
        }
    }

    /** At least 1; the smaller the shape, the heavier the tail. */
    public double pareto(double shape) {
        return Math.pow(1 - random.nextDouble(), -1 / shape);
    }

    public double lognormal(double median, double sigma) {
        return median * Math.exp(sigma * random.nextGaussian());
    }
}
