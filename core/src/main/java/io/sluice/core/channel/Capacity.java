package io.sluice.core.channel;

import io.sluice.core.decision.Percent;
import io.sluice.core.problem.DurationWord;
import io.sluice.core.problem.Problems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Advice before a side is drained: for a while, half of the instances carry all of the traffic. Pure arithmetic on what a
 * human or a dashboard measured; it asks nobody and scales nothing.
 *
 * <p>By processor: below 20 % no instance is added, from 20 % a fifth, from 30 % three tenths. From 40 % on, as many that
 * a half is as busy as it is at 40 % with three tenths added. By threads: requests in a second times seconds a request are
 * the threads in use; they must fit into the pools of half of the instances.
 *
 * @param instances how many there are
 * @param addPerSide how many more each side needs; what {@code extra} of a blue-green release is to say
 * @param reasons why, a sentence for each thing that was looked at
 */
public record Capacity(int instances, int addPerSide, List<String> reasons) {
    private static final int MOST_INSTANCES = 100_000;
    private static final int MOST_THREADS = 1_000_000;
    private static final long MOST_QPS = 1_000_000_000;
    private static final Duration LONGEST = Duration.ofHours(1);

    /** From here on the source of these numbers gives none. */
    private static final int BUSY_BASIS_POINTS = 4_000;

    public Capacity {
        reasons = List.copyOf(reasons);
    }

    /** How many instances are to be added to both sides together. */
    public int add() {
        return 2 * addPerSide;
    }

    /**
     * A pool of threads that each instance has, and what comes to all of them together.
     *
     * @param max how many threads one instance has
     * @param qps how many requests a second all instances serve at the busiest time of the release
     * @param latency how long one takes, on average
     */
    public record Threads(int max, long qps, Duration latency) {
        /** @throws io.sluice.core.problem.RefusedException with every problem */
        public Threads {
            Problems problems = new Problems();
            problems.require(max >= 1 && max <= MOST_THREADS, "threads", max, "must be within 1.." + MOST_THREADS);
            problems.require(qps >= 0 && qps <= MOST_QPS, "qps", qps, "must be within 0.." + MOST_QPS);
            problems.require(
                    !latency.isNegative() && latency.compareTo(LONGEST) <= 0,
                    "latency",
                    DurationWord.of(latency),
                    "must be within 0s.." + DurationWord.of(LONGEST));
            problems.throwIfAny();
        }

        /** Little's law, rounded up. */
        long inUse() {
            long micros = (latency.toNanos() + 999) / 1000;
            return dividedUp(qps * micros, 1_000_000);
        }
    }

    /**
     * Advises.
     *
     * @param cpuP99 how busy the processors of an instance are on all but one percent of the days' minutes
     * @param instances how many there are, of both colors together
     * @param threads null when no pool is to be looked at
     * @throws io.sluice.core.problem.RefusedException when there are fewer than two instances, since each side needs one
     */
    public static Capacity advise(Percent cpuP99, int instances, @Nullable Threads threads) {
        Problems problems = new Problems();
        problems.require(
                instances >= 2 && instances <= MOST_INSTANCES,
                "instances",
                instances,
                "must be within 2.." + MOST_INSTANCES + ", one for each side at least");
        problems.throwIfAny();
        int half = instances / 2;
        List<String> reasons = new ArrayList<>(2);
        long needed = Math.max(half, neededByCpu(cpuP99, instances, half, reasons));
        if (threads != null) {
            needed = Math.max(needed, neededByThreads(threads, half, reasons));
        }
        return new Capacity(instances, (int) Math.min(needed - half, Integer.MAX_VALUE / 2), reasons);
    }

    private static long neededByCpu(Percent cpuP99, int instances, int half, List<String> reasons) {
        int percent = addedPercent(cpuP99);
        if (percent == 0) {
            reasons.add("The processors are " + cpuP99 + " busy, below 20%: half of the instances carry that.");
            return half;
        }
        long needed = dividedUp((long) instances * (100 + percent), 200);
        reasons.add("The processors are " + cpuP99 + " busy: add " + percent + "%, so that each side has " + needed
                + " instances and not " + half + ".");
        return needed;
    }

    /** What the release of a channel needs beyond its instances, in percent of them. */
    private static int addedPercent(Percent cpuP99) {
        int busy = cpuP99.basisPoints();
        if (busy < 2_000) {
            return 0;
        }
        if (busy < 3_000) {
            return 20;
        }
        return busy < BUSY_BASIS_POINTS ? 30 : (int) dividedUp(130L * busy, BUSY_BASIS_POINTS) - 100;
    }

    private static long neededByThreads(Threads threads, int half, List<String> reasons) {
        long inUse = threads.inUse();
        long there = (long) threads.max() * half;
        String use = threads.qps() + " requests a second of " + DurationWord.of(threads.latency()) + " each keep "
                + inUse + " threads busy, and half of the instances have " + there;
        if (inUse <= there) {
            reasons.add(use + ": enough.");
            return half;
        }
        long needed = dividedUp(inUse, threads.max());
        reasons.add(use + ": requests would be refused; each side needs " + needed + " instances.");
        return needed;
    }

    private static long dividedUp(long dividend, long divisor) {
        return (dividend + divisor - 1) / divisor;
    }
}
