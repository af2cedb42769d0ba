package io.sluice.core.observation;

import io.sluice.core.problem.RefusedException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.LongStream;

/**
 * Which customers had something happen to them, as hashes, in bounded memory. Immutable.
 *
 * <p>Adaptive sampling (Wegman; Flajolet, On adaptive sampling, Computing 34, 1990): at level 0 everybody is in it. When
 * there are too many, only the half whose hash ends in one more zero bit stays, and the level rises by one. Who stays
 * depends on the hash alone, so samples of several instances merge at the higher level, and two lanes that are compared
 * at one level are compared fairly, only with less evidence.
 */
public final class CustomerSample {
    /** How many customers one report has at most. */
    public static final int MOST_IN_REPORT = 256;

    /** The highest level there is: beyond it a sample of all of mankind would be empty. */
    public static final int HIGHEST_LEVEL = 40;

    private static final CustomerSample EMPTY = new CustomerSample(0, new long[0]);

    private final int level;
    private final long[] hashes;

    private CustomerSample(int level, long[] hashes) {
        this.level = level;
        this.hashes = hashes;
    }

    public static CustomerSample empty() {
        return EMPTY;
    }

    /**
     * A sample of these customers.
     *
     * @param level the lowest level it may have
     * @param most how many customers it may have, at least 1
     */
    public static CustomerSample of(int level, int most, LongStream customers) {
        return of(
                level,
                most,
                customers.filter(hash -> isIn(hash, level)).sorted().distinct().toArray());
    }

    /** @param sorted of the level, in ascending order, each once */
    private static CustomerSample of(int level, int most, long[] sorted) {
        long[] kept = sorted;
        int risen = level;
        while (kept.length > most && risen < HIGHEST_LEVEL) {
            int next = ++risen;
            kept = Arrays.stream(kept).filter(hash -> isIn(hash, next)).toArray();
        }
        return new CustomerSample(risen, kept);
    }

    /** Whether a customer belongs to the samples of a level. */
    public static boolean isIn(long customer, int level) {
        return (customer & (1L << level) - 1) == 0;
    }

    /** How many low bits of each hash are zero, 0..40. */
    public int level() {
        return level;
    }

    /** Whether it says nothing. One without customers whose level has risen does: nobody of that level. */
    public boolean isEmpty() {
        return hashes.length == 0 && level == 0;
    }

    /** How many customers are in it. */
    public int size() {
        return hashes.length;
    }

    /** Their hashes in ascending order, each once. */
    public LongStream stream() {
        return Arrays.stream(hashes);
    }

    public boolean contains(long customer) {
        return Arrays.binarySearch(hashes, customer) >= 0;
    }

    /** The same customers, at this level or a lower one. */
    CustomerSample atMost(int most) {
        return level <= most ? this : new CustomerSample(most, hashes);
    }

    /** Everybody of both, sampled down to at most so many. */
    public CustomerSample merge(CustomerSample other, int most) {
        // Reports without anybody are the usual ones, and a large sample takes long to sort.
        if (other.hashes.length == 0 && other.level <= level && hashes.length <= most) {
            return this;
        }
        int higher = Math.max(level, other.level);
        return of(higher, most, union(atLevel(higher), other.atLevel(higher)));
    }

    private long[] atLevel(int higher) {
        return higher == level
                ? hashes
                : stream().filter(hash -> isIn(hash, higher)).toArray();
    }

    /** Of two in ascending order. Many small reports come to one large sample, so nothing is sorted anew. */
    private static long[] union(long[] one, long[] other) {
        long[] all = new long[one.length + other.length];
        int n = 0;
        for (int i = 0, j = 0; i < one.length || j < other.length; n++) {
            boolean isOfOne = j == other.length || (i < one.length && one[i] <= other[j]);
            all[n] = isOfOne ? one[i] : other[j];
            j += j < other.length && other[j] == all[n] ? 1 : 0;
            i += isOfOne ? 1 : 0;
        }
        return n == all.length ? all : Arrays.copyOf(all, n);
    }

    /** As text: base64 of eight bytes a customer. The level is not in it. */
    public String text() {
        ByteBuffer out = ByteBuffer.allocate(hashes.length * Long.BYTES);
        out.asLongBuffer().put(hashes);
        return Base64.getEncoder().withoutPadding().encodeToString(out.array());
    }

    /**
     * Reads what {@link #text} has written.
     *
     * @param most how many customers are accepted
     * @throws RefusedException for anything else
     */
    public static CustomerSample parse(int level, String text, int most) {
        if (level < 0 || level > HIGHEST_LEVEL) {
            throw new RefusedException("level", String.valueOf(level), "must be within 0.." + HIGHEST_LEVEL);
        }
        byte[] bytes = HashText.bytes("customers", text, most * Long.BYTES, Long.BYTES);
        long[] hashes = new long[bytes.length / Long.BYTES];
        ByteBuffer.wrap(bytes).asLongBuffer().get(hashes);
        CustomerSample sample = of(level, most, Arrays.stream(hashes));
        if (sample.size() != hashes.length) {
            throw new RefusedException(
                    "customers",
                    hashes.length + " hashes",
                    "must have each hash once, with its lowest " + level + " bits zero");
        }
        return sample;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CustomerSample sample && level == sample.level && Arrays.equals(hashes, sample.hashes);
    }

    @Override
    public int hashCode() {
        return 31 * level + Arrays.hashCode(hashes);
    }

    @Override
    public String toString() {
        return hashes.length + " customers at level " + level;
    }
}
