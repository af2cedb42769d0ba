package io.sluice.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs candidates side by side in short slices, in an order that is shuffled each round.
 *
 * <p>A slice is shorter than what the scheduler gives a thread, so on a busy machine some slices of every candidate run
 * undisturbed; the ratio of the <em>minima</em> then holds within a few per cent where averages are off by ten times.
 */
final class Paired {
    private static final long SLICE_NANOS = 200_000;
    private static final long WARM_UP_NANOS = 500_000_000;
    private static final int OPERATIONS_COUNTED = 100_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** What the candidates return, so that nothing they do is for nothing. */
    private static final AtomicInteger SINK = new AtomicInteger();

    private final Map<String, Candidate> candidates = new LinkedHashMap<>();

    /** Something to be measured. */
    @FunctionalInterface
    interface Candidate {
        /** Does it so many times, and returns something that depends on all of them. */
        int run(int operations);
    }

    /**
     * What one operation took.
     *
     * @param nanos by the fastest slice
     * @param medianNanos by the median slice
     * @param bytes allocated, exact
     */
    record Cost(double nanos, double medianNanos, double bytes) {}

    void add(String name, Candidate candidate) {
        candidates.put(name, candidate);
    }

    /** Measures all candidates in so many rounds, in the order they were added. */
    Map<String, Cost> measure(int rounds) {
        List<Run> runs = new ArrayList<>();
        candidates.forEach((name, candidate) -> runs.add(new Run(name, candidate, rounds)));
        runs.forEach(Run::warmUp);
        runs.forEach(Run::calibrate);

        List<Run> shuffled = new ArrayList<>(runs);
        Random order = new Random(1);
        for (int round = 0; round < rounds; round++) {
            Collections.shuffle(shuffled, order);
            for (Run run : shuffled) {
                run.slice(round);
            }
        }

        Map<String, Cost> costs = new LinkedHashMap<>();
        runs.forEach(run -> costs.put(run.name, run.cost()));
        return costs;
    }

    /** Measures something that takes longer than a slice by itself, so many times, beside nothing else. */
    static Cost alone(Candidate candidate, int times) {
        double[] nanos = new double[times];
        for (int i = 0; i < times; i++) {
            long start = System.nanoTime();
            SINK.lazySet(candidate.run(1));
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        SINK.lazySet(candidate.run(1));
        return new Cost(nanos[0], nanos[times / 2], THREADS.getCurrentThreadAllocatedBytes() - before);
    }

    private static final class Run {
        private final String name;
        private final Candidate candidate;
        private final double[] nanos;
        private int operations = 1_000;

        private Run(String name, Candidate candidate, int rounds) {
            this.name = name;
            this.candidate = candidate;
            this.nanos = new double[rounds];
        }

        private void warmUp() {
            long end = System.nanoTime() + WARM_UP_NANOS;
            while (System.nanoTime() < end) {
                SINK.lazySet(candidate.run(operations));
            }
        }

        /** Finds how many operations fill a slice. */
        private void calibrate() {
            double fastest = Double.MAX_VALUE;
            for (int i = 0; i < 50; i++) {
                fastest = Math.min(fastest, time());
            }
            operations = (int) Math.max(1, SLICE_NANOS / fastest);
        }

        private void slice(int round) {
            nanos[round] = time();
        }

        private double time() {
            long start = System.nanoTime();
            SINK.lazySet(candidate.run(operations));
            return (double) (System.nanoTime() - start) / operations;
        }

        private Cost cost() {
            double[] sorted = nanos.clone();
            Arrays.sort(sorted);
            return new Cost(sorted[0], sorted[sorted.length / 2], bytes());
        }

        private double bytes() {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            SINK.lazySet(candidate.run(OPERATIONS_COUNTED));
            long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            // Asking allocates a little by itself, far less than a byte for each of the operations.
            return Math.floor((double) allocated / OPERATIONS_COUNTED);
        }
    }
}
