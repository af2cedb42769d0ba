package io.sluice.core.observation;

/**
 * Who a customer is to the sketch and the samples: 64 bits, the same on every instance.
 *
 * <p>64-bit FNV-1a over the id's UTF-16 units, which for ASCII are its bytes, then murmur3's 64-bit finaliser, so that
 * both ends of the word can be used. Independent of the bucket, whose hash has another width and a salt: who is in a
 * sample says nothing of the lane.
 *
 * <p>Sources: FNV-1a as in draft-eastlake-fnv (offset basis 0xcbf29ce484222325, prime 0x100000001b3); {@code fmix64} of
 * MurmurHash3 (public domain, Austin Appleby).
 */
final class CustomerHash {
    private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private CustomerHash() {}

    /** The hash of a customer's id; never 0, which stands for nobody. Allocates nothing. */
    static long of(String uid) {
        long hash = OFFSET_BASIS;
        int length = uid.length();
        for (int i = 0; i < length; i++) {
            hash = (hash ^ uid.charAt(i)) * PRIME;
        }
        long mixed = mix(hash);
        return mixed == 0 ? 1 : mixed;
    }

    private static long mix(long hash) {
        long h = hash;
        h ^= h >>> 33;
        h *= 0xff51afd7ed558ccdL;
        h ^= h >>> 33;
        h *= 0xc4ceb9fe1a85ec53L;
        h ^= h >>> 33;
        return h;
    }
}
