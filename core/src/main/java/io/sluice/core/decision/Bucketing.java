package io.sluice.core.decision;

import io.sluice.core.problem.RefusedException;
import java.util.Objects;

/**
 * The buckets of one release: a hash and a salt, with the salt hashed once. Immutable; a release keeps its own for life.
 */
public final class Bucketing {
    private static final int LONGEST_SALT = 256;

    private final BucketHash hash;
    private final String salt;
    private final int prefix;

    private Bucketing(BucketHash hash, String salt) {
        this.hash = hash;
        this.salt = salt;
        this.prefix = Fnv1a.updateZero(Fnv1a.update(Fnv1a.OFFSET_BASIS, salt));
    }

    /**
     * The buckets of a salt.
     *
     * @throws RefusedException when the salt is empty or longer than 256 characters
     */
    public static Bucketing of(BucketHash hash, String salt) {
        if (salt.isEmpty() || salt.length() > LONGEST_SALT) {
            throw new RefusedException(
                    "salt",
                    salt.isEmpty() ? "empty" : salt.length() + " characters",
                    "must have 1..256 characters, and differ from release to release");
        }
        return new Bucketing(hash, salt);
    }

    public BucketHash hash() {
        return hash;
    }

    public String salt() {
        return salt;
    }

    /** The bucket of a key, 0..9999: the same on every instance, after every restart. Allocates nothing. */
    public int bucket(String key) {
        return hash.bucket(prefix, key);
    }

    /**
     * How many low bits of the two salts' states agree. With 4 or more under plain {@code fnv1a}, the two releases do
     * not pick their customers independently; with the mixed hash the answer does not matter.
     */
    public int sharedLowBits(Bucketing other) {
        return Integer.numberOfTrailingZeros(prefix ^ other.prefix);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bucketing that && hash == that.hash && salt.equals(that.salt);
    }

    @Override
    public int hashCode() {
        return Objects.hash(hash, salt);
    }

    @Override
    public String toString() {
        return hash.label() + ":" + salt;
    }
}
