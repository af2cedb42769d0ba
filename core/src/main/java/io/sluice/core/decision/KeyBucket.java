package io.sluice.core.decision;

/**
 * The bucket of a key whose state moves: plain FNV-1a over its UTF-8 bytes, without salt and without a zero byte, as an
 * unsigned number, modulo 100. Nothing else enters, so every process, in every language and after every restart, finds
 * the same one; {@code docs/migration.md} has the golden values.
 *
 * <p>Unlike a release, a migration has no salt: there is one at a time, and the first key to move is meant to stay the
 * first.
 */
public final class KeyBucket {
    /** How many buckets there are: one a percent. */
    public static final int BUCKETS = 100;

    private KeyBucket() {}

    /** The bucket of a key, 0..99. Allocates nothing. */
    public static int of(String key) {
        return Integer.remainderUnsigned(Fnv1a.update(Fnv1a.OFFSET_BASIS, key), BUCKETS);
    }
}
