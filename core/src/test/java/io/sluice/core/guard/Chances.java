package io.sluice.core.guard;

/** Exact chances, for tests that go through all that can happen. */
final class Chances {
    private Chances() {}

    /** That exactly so many of n happen, each with chance p. */
    static double binomial(int n, int k, double p) {
        double ways = 1;
        for (int i = 0; i < k; i++) {
            ways = ways * (n - i) / (i + 1);
        }
        return ways * Math.pow(p, k) * Math.pow(1 - p, n - k);
    }

    /** What never happens weighs nothing, even if it would be infinite. */
    static double weighed(double chance, double value) {
        return chance == 0 ? 0 : chance * value;
    }
}
