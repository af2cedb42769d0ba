package io.sluice.core.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class TallyPropertyTest {
    private static final Duration LIMIT = Duration.ofMillis(300);

    private record Request(long nanos, boolean failed) {}

    @Property
    void mergingTalliesIsCountingTogether(
            @ForAll("requests") List<Request> here, @ForAll("requests") List<Request> there) {
        List<Request> together = new ArrayList<>(here);
        together.addAll(there);

        assertThat(tally(here).merge(tally(there))).isEqualTo(tally(together));
        assertThat(tally(there).merge(tally(here))).isEqualTo(tally(together));
    }

    @Property
    void mergingEndsAtTheLargestNumber(@ForAll("numbers") long here, @ForAll("numbers") long there) {
        Tally sum = allSlow(here).merge(allSlow(there));

        long capped = BigInteger.valueOf(here)
                .add(BigInteger.valueOf(there))
                .min(BigInteger.valueOf(Long.MAX_VALUE))
                .longValueExact();
        assertThat(sum).isEqualTo(allSlow(capped));
        assertThat(sum.quantile(99)).isEqualTo(allSlow(1).quantile(99));
    }

    /** The rank is ceil(0.99 n) for every n that there is. */
    @Requirement({"B2", "F29"})
    @Property
    void p99HoldsForTheLargestNumbersToo(@ForAll("numbers") long count) {
        BigInteger rank = BigInteger.valueOf(count)
                .multiply(BigInteger.valueOf(99))
                .add(BigInteger.valueOf(99))
                .divide(BigInteger.valueOf(100));
        long mayBeSlow = count - rank.longValueExact();

        assertThat(tally(count, mayBeSlow).isP99AboveLimit()).isFalse();
        assertThat(tally(count, mayBeSlow + 1).isP99AboveLimit()).isTrue();
    }

    @Requirement({"B2", "F29"})
    @Property
    void p99IsAboveTheLimitExactlyWhenTheSortedOneIs(@ForAll("requests") List<Request> requests) {
        boolean above = tally(requests).isP99AboveLimit();

        assertThat(above).isEqualTo(!requests.isEmpty() && nearestRank(requests, 99) > LIMIT.toNanos());
    }

    @Property
    void quantilesAreShownWithinSixteenPerMille(
            @ForAll("requests") List<Request> requests, @ForAll @IntRange(max = 100) int percent) {
        Duration shown = tally(requests).quantile(percent);

        long exactMicros = requests.isEmpty() ? 0 : Math.max(0, nearestRank(requests, percent)) / 1_000;
        assertThat(Math.abs(shown.toNanos() / 1_000 - exactMicros) * 1_000).isLessThanOrEqualTo(exactMicros * 16);
    }

    /** Sizes around the steps of the rank, latencies around the limit. */
    @Provide
    Arbitrary<List<Request>> requests() {
        Arbitrary<Long> nanos = Arbitraries.oneOf(
                Arbitraries.longs().between(-1_000, 2_000_000_000L),
                Arbitraries.longs().between(LIMIT.toNanos() - 2, LIMIT.toNanos() + 2),
                Arbitraries.longs().between(1_000_000, 5_000_000));
        Arbitrary<Request> request =
                Combinators.combine(nanos, Arbitraries.of(true, false)).as(Request::new);
        return request.list().ofMaxSize(320);
    }

    @Provide
    Arbitrary<Long> numbers() {
        return Arbitraries.oneOf(
                Arbitraries.longs().between(1, 1_000),
                Arbitraries.longs().between(Long.MAX_VALUE / 100, Long.MAX_VALUE));
    }

    private static Tally allSlow(long count) {
        return tally(count, count);
    }

    /** Requests in two buckets, the slow ones in the later one. */
    private static Tally tally(long count, long slow) {
        SortedMap<Integer, Long> latencies = new TreeMap<>(Map.of(700, slow, 1, count - slow));
        latencies.values().removeIf(number -> number == 0);
        return new Tally(count, 0, slow, latencies);
    }

    private static Tally tally(List<Request> requests) {
        LaneCounter counter = new LaneCounter(LIMIT.toNanos());
        requests.forEach(request -> counter.record(request.nanos, request.failed));
        return counter.drain();
    }

    private static long nearestRank(List<Request> requests, int percent) {
        List<Request> sorted = new ArrayList<>(requests);
        sorted.sort(Comparator.comparingLong(Request::nanos));
        int rank = Math.max(1, (sorted.size() * percent + 99) / 100);
        return sorted.get(rank - 1).nanos;
    }
}
