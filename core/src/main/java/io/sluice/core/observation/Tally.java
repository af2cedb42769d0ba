package io.sluice.core.observation;

import io.sluice.core.problem.Problems;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * How a number of requests went. Immutable; tallies merge by adding, in any order.
 *
 * <p>What decides (count, failures, slow ones) is exact. Only the latencies shown are rounded, by at most 1.6 %. Sums
 * end at {@link Long#MAX_VALUE} instead of turning negative.
 *
 * @param count requests
 * @param failed how many of them failed
 * @param slow how many of them took longer than the limit that the rules gave
 * @param latencies requests by latency bucket, without the empty buckets; sums to {@code count}
 */
public record Tally(long count, long failed, long slow, SortedMap<Integer, Long> latencies) {
    private static final Tally EMPTY = new Tally(0, 0, 0, new TreeMap<>());

    /** @throws io.sluice.core.problem.RefusedException when the numbers contradict each other */
    public Tally {
        Problems problems = new Problems();
        problems.require(count >= 0, "count", count, "must not be negative");
        problems.require(failed >= 0 && failed <= count, "failed", failed, "must be within 0..count");
        problems.require(slow >= 0 && slow <= count, "slow", slow, "must be within 0..count");
        long sum = 0;
        for (var entry : latencies.entrySet()) {
            int bucket = entry.getKey();
            boolean fits = bucket >= 0 && bucket < LatencyBuckets.COUNT && entry.getValue() > 0;
            problems.require(
                    fits,
                    "latencies." + bucket,
                    entry.getValue(),
                    "must be a positive number in a bucket 0.." + (LatencyBuckets.COUNT - 1));
            sum = fits ? saturatedSum(sum, entry.getValue()) : sum;
        }
        problems.require(sum == count, "latencies", sum + " in sum", "must sum to count, " + count);
        problems.throwIfAny();
        latencies = LatencyCounts.copyOf(latencies);
    }

    public static Tally empty() {
        return EMPTY;
    }

    public Tally merge(Tally other) {
        if (other.count == 0) {
            return this;
        }
        SortedMap<Integer, Long> merged = new TreeMap<>(latencies);
        other.latencies.forEach((bucket, n) -> merged.merge(bucket, n, Tally::saturatedSum));
        return new Tally(
                saturatedSum(count, other.count),
                saturatedSum(failed, other.failed),
                saturatedSum(slow, other.slow),
                merged);
    }

    /** The nearest-rank quantile, rounded to its bucket's middle; zero when there are no requests. */
    public Duration quantile(int percent) {
        int bucket = quantileBucket(percent);
        return bucket < 0 ? Duration.ZERO : Duration.of(LatencyBuckets.middle(bucket), ChronoUnit.MICROS);
    }

    /** The latency bucket with the nearest-rank quantile; -1 when there are no requests. */
    public int quantileBucket(int percent) {
        return ((LatencyCounts) latencies).bucketOfRank(Math.max(1, rank(percent)));
    }

    /** How many requests took longer than anything in a latency bucket. */
    public long countAbove(int bucket) {
        return latencies.tailMap(bucket + 1).values().stream().mapToLong(n -> n).reduce(0, Tally::saturatedSum);
    }

    /** The same requests, those counted as slow that took longer than another limit, rounded up to its bucket's edge. */
    public Tally withSlowOver(Duration limit) {
        int bucket = LatencyBuckets.index(TimeUnit.NANOSECONDS.toMicros(limit.toNanos()));
        return new Tally(count, failed, countAbove(bucket), latencies);
    }

    /** With requests that are still under way and took longer than a limit already: slow ones, just above it. */
    public Tally plusOverdue(long overdue, Duration limit) {
        if (overdue == 0) {
            return this;
        }
        int bucket = Math.min(
                LatencyBuckets.index(TimeUnit.NANOSECONDS.toMicros(limit.toNanos())) + 1, LatencyBuckets.COUNT - 1);
        return merge(new Tally(overdue, 0, overdue, new TreeMap<>(Map.of(bucket, overdue))));
    }

    /**
     * Whether the exact nearest-rank P99 lies above the limit by which slow requests were counted: true if and only if
     * more requests were slow than may lie above the rank ceil(0.99 n).
     */
    public boolean isP99AboveLimit() {
        return count > 0 && slow >= count - rank(99) + 1;
    }

    /** The nearest rank, ceil(percent * count / 100), worked out so that no step leaves a long. */
    private long rank(int percent) {
        return count / 100 * percent + (count % 100 * percent + 99) / 100;
    }

    static long saturatedSum(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
