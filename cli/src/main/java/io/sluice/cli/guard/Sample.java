package io.sluice.cli.guard;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One request as a line says it.
 *
 * @param nanos how long it took; parts of a nanosecond count as a whole one, so that "over the limit" stays exact
 * @param failed whether it failed
 */
record Sample(long nanos, boolean failed) {
    /** What a line may be, in the words of every problem about one. */
    static final String ALLOWED = "must be latencyMillis,failed with failed 0 or 1, like 12.5,0";

    private static final int NANO_DIGITS = 6;
    // ASCII digits only; a latency of up to eleven days, so that it fits into nanoseconds.
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,9})(?:\\.([0-9]{1,40}))?,([01])");

    /** The request of a line; null when the line is none. */
    static @Nullable Sample parse(String line) {
        Matcher matcher = TEXT.matcher(line);
        if (!matcher.matches()) {
            return null;
        }
        String fraction = matcher.group(2) == null ? "" : matcher.group(2);
        long nanos = Long.parseLong(matcher.group(1)) * 1_000_000 + nanos(fraction);
        return new Sample(nanos, matcher.group(3).equals("1"));
    }

    private static long nanos(String fraction) {
        long nanos = 0;
        for (int i = 0; i < NANO_DIGITS; i++) {
            nanos = nanos * 10 + (i < fraction.length() ? fraction.charAt(i) - '0' : 0);
        }
        boolean more = fraction.chars().skip(NANO_DIGITS).anyMatch(digit -> digit != '0');
        return more ? nanos + 1 : nanos;
    }
}
