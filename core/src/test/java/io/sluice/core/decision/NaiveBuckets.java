package io.sluice.core.decision;

import java.nio.charset.StandardCharsets;

/** The written specification, followed to the letter: byte arrays and long arithmetic, nothing shared with the product. */
final class NaiveBuckets {
    private static final long WORD = 1L << 32;

    private NaiveBuckets() {}

    /** FNV-1a over the UTF-8 bytes of a text alone. */
    static long fnv1a(String text) {
        return fnv1a(0x811c9dc5L, text.getBytes(StandardCharsets.UTF_8));
    }

    /** FNV-1a over salt, one zero byte and key. */
    static long fnv1a(String salt, String key) {
        long afterSalt = fnv1a(0x811c9dc5L, salt.getBytes(StandardCharsets.UTF_8));
        long afterZero = fnv1a(afterSalt, new byte[] {0});
        return fnv1a(afterZero, key.getBytes(StandardCharsets.UTF_8));
    }

    /** Murmur3's finaliser. */
    static long mixed(long hash) {
        long h = hash;
        h = h ^ h >> 16;
        h = Long.remainderUnsigned(h * 0x85ebca6bL, WORD);
        h = h ^ h >> 13;
        h = Long.remainderUnsigned(h * 0xc2b2ae35L, WORD);
        return h ^ h >> 16;
    }

    static int bucket(BucketHash hash, String salt, String key) {
        long word = fnv1a(salt, key);
        return (int) ((hash == BucketHash.FNV1A ? word : mixed(word)) % 10_000);
    }

    private static long fnv1a(long state, byte[] bytes) {
        long h = state;
        for (byte b : bytes) {
            h = (h ^ b & 0xff) * 0x01000193L % WORD;
        }
        return h;
    }
}
