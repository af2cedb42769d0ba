package io.sluice.core.observation;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class LatencyBucketsPropertyTest {
    private static final long LARGEST = (1L << 26) - 1;

    @Property(tries = 2_000)
    void theMiddleOfABucketIsAtMostSixteenPerMilleAway(@ForAll @LongRange(max = LARGEST) long micros) {
        long shown = LatencyBuckets.middle(LatencyBuckets.index(micros));

        assertThat(Math.abs(shown - micros) * 1_000).isLessThanOrEqualTo(micros * 16);
    }

    @Property(tries = 2_000)
    void longerLatenciesNeverFallIntoLowerBuckets(@ForAll long one, @ForAll long other) {
        int lower = LatencyBuckets.index(Math.min(one, other));
        int upper = LatencyBuckets.index(Math.max(one, other));

        assertThat(lower).isBetween(0, upper);
        assertThat(upper).isLessThan(LatencyBuckets.COUNT);
    }

    @Example
    void bucketsFollowOneAnotherWithoutAGap() {
        int bucket = 0;
        for (long micros = 0; micros <= 1 << 16; micros++) {
            int next = LatencyBuckets.index(micros);
            assertThat(next).isBetween(bucket, bucket + 1);
            bucket = next;
        }
    }

    @Example
    void theEndsHaveTheirBuckets() {
        assertThat(LatencyBuckets.COUNT).isEqualTo(704);
        assertThat(LatencyBuckets.index(Long.MIN_VALUE)).isZero();
        assertThat(LatencyBuckets.index(-1)).isZero();
        assertThat(LatencyBuckets.index(0)).isZero();
        assertThat(LatencyBuckets.index(31)).isEqualTo(31);
        assertThat(LatencyBuckets.index(32)).isEqualTo(32);
        assertThat(LatencyBuckets.index(LARGEST)).isEqualTo(703);
        assertThat(LatencyBuckets.index(Long.MAX_VALUE)).isEqualTo(703);
    }
}
