package io.sluice.core.observation;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.Comparator;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Requests by latency bucket, added up once, so that a quantile costs a binary search however many requests there are.
 * Unmodifiable.
 */
final class LatencyCounts extends AbstractMap<Integer, Long> implements SortedMap<Integer, Long> {
    private final SortedMap<Integer, Long> counts;
    private final int[] buckets;
    // How many requests took at most as long as those in a bucket.
    private final long[] upTo;

    private LatencyCounts(SortedMap<Integer, Long> counts) {
        this.counts = counts;
        this.buckets = new int[counts.size()];
        this.upTo = new long[counts.size()];
        int i = 0;
        long sum = 0;
        for (Entry<Integer, Long> entry : counts.entrySet()) {
            sum = Tally.saturatedSum(sum, entry.getValue());
            buckets[i] = entry.getKey();
            upTo[i++] = sum;
        }
    }

    /** A copy, without anything in common with what it is made from. */
    static LatencyCounts copyOf(SortedMap<Integer, Long> counts) {
        return counts instanceof LatencyCounts copied
                ? copied
                : new LatencyCounts(Collections.unmodifiableSortedMap(new TreeMap<>(counts)));
    }

    /** The bucket of the request with a rank from the fastest, 1 being the first; -1 when there are not so many. */
    int bucketOfRank(long rank) {
        int low = 0;
        int high = upTo.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (upTo[middle] >= rank) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low == upTo.length ? -1 : buckets[low];
    }

    @Override
    public Set<Entry<Integer, Long>> entrySet() {
        return counts.entrySet();
    }

    @Override
    public @Nullable Comparator<? super Integer> comparator() {
        return counts.comparator();
    }

    @Override
    public SortedMap<Integer, Long> subMap(Integer from, Integer to) {
        return counts.subMap(from, to);
    }

    @Override
    public SortedMap<Integer, Long> headMap(Integer to) {
        return counts.headMap(to);
    }

    @Override
    public SortedMap<Integer, Long> tailMap(Integer from) {
        return counts.tailMap(from);
    }

    @Override
    public Integer firstKey() {
        return counts.firstKey();
    }

    @Override
    public Integer lastKey() {
        return counts.lastKey();
    }
}
