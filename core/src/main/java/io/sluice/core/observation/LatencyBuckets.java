package io.sluice.core.observation;

/**
 * The buckets of all latency histograms: log-linear over microseconds, 32 to an octave, so a bucket is never wider than
 * 1/32 of its value and its middle is at most 1.6 % away from anything in it.
 *
 * <p>Fixed for everybody, so histograms of all instances merge by adding. Values up to 31 µs have a bucket each; the
 * last bucket takes everything from about 67 seconds on. The scheme is HdrHistogram's with 5 bits of precision.
 */
final class LatencyBuckets {
    private static final int BITS = 5;
    private static final int PER_OCTAVE = 1 << BITS;
    private static final long LARGEST_MICROS = (1L << 26) - 1;

    /** How many buckets there are. */
    static final int COUNT = index(LARGEST_MICROS) + 1;

    private LatencyBuckets() {}

    /** The bucket of a latency; a negative one counts as zero, as a clock that went backwards would have it. */
    static int index(long micros) {
        long value = Math.min(Math.max(micros, 0), LARGEST_MICROS);
        if (value < PER_OCTAVE) {
            return (int) value;
        }
        int shift = 63 - Long.numberOfLeadingZeros(value) - BITS;
        return (shift + 1) * PER_OCTAVE + (int) (value >>> shift) - PER_OCTAVE;
    }

    /** The middle of a bucket in microseconds. */
    static long middle(int index) {
        if (index < PER_OCTAVE) {
            return index;
        }
        int shift = index / PER_OCTAVE - 1;
        long low = (long) (index % PER_OCTAVE + PER_OCTAVE) << shift;
        return low + (1L << shift) / 2;
    }
}
