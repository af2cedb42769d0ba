package io.sluice.migration.shadow;

import io.sluice.migration.plan.Side;
import java.time.Instant;

/**
 * Both sides have answered a read at the same version of a key, twice, and not the same.
 *
 * @param id counts the differences that were kept by this process, from 1
 * @param read what the read is called
 * @param version the version that both sides answered with
 * @param authority the side whose answer counts
 * @param authorityValue its answer as text, shortened to {@value #LONGEST_VALUE} characters
 * @param otherValue the other side's, likewise; two long values may look the same here
 * @param at when it was found
 */
public record Difference(
        long id,
        String key,
        String read,
        long version,
        Side authority,
        String authorityValue,
        String otherValue,
        Instant at) {
    /** How much of a value is kept. */
    public static final int LONGEST_VALUE = 500;

    public Difference {
        authorityValue = shortened(authorityValue);
        otherValue = shortened(otherValue);
    }

    Difference withId(long other) {
        return new Difference(other, key, read, version, authority, authorityValue, otherValue, at);
    }

    private static String shortened(String value) {
        if (value.length() <= LONGEST_VALUE) {
            return value;
        }
        // Not between the two halves of a character.
        int end = Character.isHighSurrogate(value.charAt(LONGEST_VALUE - 1)) ? LONGEST_VALUE - 1 : LONGEST_VALUE;
        return value.substring(0, end);
    }
}
