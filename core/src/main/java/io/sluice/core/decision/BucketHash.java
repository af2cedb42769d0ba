package io.sluice.core.decision;

import io.sluice.core.problem.RefusedException;

/**
 * How a key becomes one of 10,000 buckets: FNV-1a over salt, one zero byte and key, as an unsigned number, modulo 10000.
 *
 * <p>Two ways, because plain FNV-1a keeps the low bits of the salt apart from the key: about 6 % of all pairs of salts
 * hit nearly the same first customers, or none in common. Page {@code docs/split.md} has the figures.
 */
public enum BucketHash {
    /** FNV-1a as it is: the published figures, and other languages' implementations. */
    FNV1A("fnv1a"),
    /** The same, then murmur3's finaliser: independent from salt to salt. What new releases use. */
    FNV1A_MIXED("fnv1a-mixed");

    /** How many buckets there are: one a basis point. */
    public static final int BUCKETS = 10_000;

    private final String label;

    BucketHash(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    /**
     * The way with that label.
     *
     * @throws RefusedException for a word that is none of the labels
     */
    public static BucketHash parse(String label) {
        for (BucketHash hash : values()) {
            if (hash.label.equals(label)) {
                return hash;
            }
        }
        throw new RefusedException("hash", label.isEmpty() ? "empty" : label, "must be fnv1a or fnv1a-mixed");
    }

    int bucket(int prefix, String key) {
        int hash = Fnv1a.update(prefix, key);
        return Integer.remainderUnsigned(this == FNV1A ? hash : Fnv1a.mix(hash), BUCKETS);
    }
}
