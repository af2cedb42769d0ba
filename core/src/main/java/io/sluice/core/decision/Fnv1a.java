package io.sluice.core.decision;

/**
 * 32-bit FNV-1a over UTF-8, without an intermediate byte array, and murmur3's 32-bit finaliser.
 *
 * <p>Sources: FNV-1a as in draft-eastlake-fnv (offset basis 0x811c9dc5, prime 0x01000193); {@code fmix32} of
 * MurmurHash3 (public domain, Austin Appleby). A surrogate without its partner is hashed as {@code ?}, as
 * {@code String.getBytes(UTF_8)} would write it.
 */
final class Fnv1a {
    static final int OFFSET_BASIS = 0x811c9dc5;
    static final int PRIME = 0x01000193;

    private Fnv1a() {}

    /** Goes on from a state over the UTF-8 bytes of a text. */
    static int update(int state, String text) {
        int h = state;
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                return updateUnicode(h, text, i);
            }
            h = (h ^ c) * PRIME;
        }
        return h;
    }

    /** Goes on from a state over one zero byte. */
    static int updateZero(int state) {
        return state * PRIME;
    }

    /** Spreads every input bit over the whole word, so that hashes of two salts are independent. */
    static int mix(int hash) {
        int h = hash;
        h ^= h >>> 16;
        h *= 0x85ebca6b;
        h ^= h >>> 13;
        h *= 0xc2b2ae35;
        h ^= h >>> 16;
        return h;
    }

    private static int updateUnicode(int state, String text, int from) {
        int h = state;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                h = (h ^ c) * PRIME;
            } else if (c < 0x800) {
                h = (h ^ (0xc0 | (c >> 6))) * PRIME;
                h = (h ^ (0x80 | (c & 0x3f))) * PRIME;
            } else if (!Character.isSurrogate(c)) {
                h = (h ^ (0xe0 | (c >> 12))) * PRIME;
                h = (h ^ (0x80 | ((c >> 6) & 0x3f))) * PRIME;
                h = (h ^ (0x80 | (c & 0x3f))) * PRIME;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                int point = Character.toCodePoint(c, text.charAt(++i));
                h = (h ^ (0xf0 | (point >> 18))) * PRIME;
                h = (h ^ (0x80 | ((point >> 12) & 0x3f))) * PRIME;
                h = (h ^ (0x80 | ((point >> 6) & 0x3f))) * PRIME;
                h = (h ^ (0x80 | (point & 0x3f))) * PRIME;
            } else {
                h = (h ^ '?') * PRIME;
            }
        }
        return h;
    }
}
