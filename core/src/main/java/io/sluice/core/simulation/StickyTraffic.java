package io.sluice.core.simulation;

import io.sluice.core.decision.Lane;
import io.sluice.core.observation.CustomerSample;
import io.sluice.core.observation.CustomerSketch;
import io.sluice.core.observation.CustomerTally;
import io.sluice.core.observation.LaneTally;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Customers who stay on their lane, of whom some come often and some fail often. Request by request: who comes is drawn
 * by the customers' rates, which are Pareto of shape 1.3; how prone to failures each is, from a beta distribution; and a
 * failure is tried again at once, in vain.
 */
public final class StickyTraffic implements Traffic {
    private static final double PARETO_SHAPE = 1.3;
    private static final int INSTANCES = 2;

    private final Load load;
    private final Failures failures;
    private final Crowd crowd;
    private final Chance chance;

    private final long[] hashes;
    private final boolean[] isCanary;
    /** How much more than others a customer fails; 1 in the mean. */
    private final double[] proneness;
    /** Walker's alias table of the customers' rates: whom a slot gives, and how often it gives another. */
    private final int[] aliases;

    private final double[] kept;
    private final Batch[] batches = new Batch[2 * INSTANCES];

    /**
     * Who comes.
     *
     * @param customers how many there are
     * @param rho correlation of two requests of one customer in failing, 0..1 (exclusive)
     * @param retries how often each failed request is tried again, in vain
     */
    public record Crowd(int customers, double rho, int retries) {}

    /** @param failures of requests with their retries among them, as a dashboard would show them */
    public StickyTraffic(Load load, Failures failures, Crowd crowd, Chance chance) {
        this.load = load;
        this.failures = failures;
        this.crowd = crowd;
        this.chance = chance;
        int n = crowd.customers();
        hashes = new long[n];
        isCanary = new boolean[n];
        proneness = new double[n];
        aliases = new int[n];
        kept = new double[n];
        double mean = failures.rate(Lane.STABLE, 0);
        for (int i = 0; i < n; i++) {
            hashes[i] = chance.bits();
            isCanary[i] = chance.happens(load.share());
            kept[i] = chance.pareto(PARETO_SHAPE);
            proneness[i] = crowd.rho() == 0 || mean == 0
                    ? 1
                    : chance.beta(mean * (1 / crowd.rho() - 1), (1 - mean) * (1 / crowd.rho() - 1)) / mean;
        }
        fillAliases();
        Arrays.setAll(batches, i -> new Batch());
    }

    private void fillAliases() {
        int n = kept.length;
        double scale = n / Arrays.stream(kept).sum();
        int[] small = new int[n];
        int[] large = new int[n];
        int smalls = 0;
        int larges = 0;
        for (int i = 0; i < n; i++) {
            kept[i] *= scale;
            aliases[i] = i;
            if (kept[i] < 1) {
                small[smalls++] = i;
            } else {
                large[larges++] = i;
            }
        }
        while (smalls > 0 && larges > 0) {
            int poor = small[--smalls];
            int rich = large[larges - 1];
            aliases[poor] = rich;
            kept[rich] -= 1 - kept[poor];
            if (kept[rich] < 1) {
                larges--;
                small[smalls++] = rich;
            }
        }
        // What is left over is 1 but for rounding.
        while (smalls > 0) {
            kept[small[--smalls]] = 1;
        }
    }

    @Override
    public void report(double from, double to, Reports reports) {
        double stable = firstTries(failures.rate(Lane.STABLE, from));
        double canary = firstTries(failures.rate(Lane.CANARY, from));
        for (long left = load.requests(from, to); left > 0; left--) {
            int slot = chance.below(kept.length);
            int customer = chance.happens(kept[slot]) ? slot : aliases[slot];
            boolean fails = chance.happens((isCanary[customer] ? canary : stable) * proneness[customer]);
            int instance = (int) (left % INSTANCES);
            batches[isCanary[customer] ? instance : INSTANCES + instance].add(hashes[customer], fails);
            if (fails) {
                left -= crowd.retries();
            }
        }
        for (int instance = 0; instance < INSTANCES; instance++) {
            reports.add("canary-" + instance, Lane.CANARY, batches[instance].drain(crowd.retries()));
            reports.add("stable-" + instance, Lane.STABLE, batches[INSTANCES + instance].drain(crowd.retries()));
        }
    }

    /** The rate of first tries that comes to a rate with all their retries. */
    private double firstTries(double rate) {
        return rate / (1 + crowd.retries() - crowd.retries() * rate);
    }

    /** What one instance has to report about one lane. */
    private static final class Batch {
        private long[] seen = new long[64];
        private long[] failed = new long[8];
        private int count;
        private int failures;

        void add(long customer, boolean fails) {
            if (count == seen.length) {
                seen = Arrays.copyOf(seen, count * 2);
            }
            seen[count++] = customer;
            if (fails) {
                if (failures == failed.length) {
                    failed = Arrays.copyOf(failed, failures * 2);
                }
                failed[failures++] = customer;
            }
        }

        LaneTally drain(int retries) {
            if (count == 0) {
                return LaneTally.empty();
            }
            long again = (long) failures * retries;
            LaneTally tally = new LaneTally(
                    IndependentTraffic.requests(count + again, failures + again),
                    new CustomerTally(
                            CustomerSketch.of(LongStream.of(seen).limit(count)),
                            failures == 0
                                    ? CustomerSample.empty()
                                    : CustomerSample.of(
                                            0, CustomerSample.MOST_IN_REPORT, Arrays.stream(failed, 0, failures)),
                            CustomerSample.empty(),
                            0,
                            0,
                            0),
                    0);
            count = 0;
            failures = 0;
            return tally;
        }
    }
}
