package io.sluice.wire;

import io.sluice.core.problem.DurationWord;
import io.sluice.core.problem.RefusedException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: a whole number and a unit, like {@code 300ms}, {@code 10s}, {@code 5m}. */
public final class DurationText {
    private static final String ALLOWED = "must be a duration like 300ms, 10s, 5m, 1h or 2d, at most 10000d";
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,12})(ms|s|m|h|d)");

    // Small enough to count in nanoseconds anywhere.
    private static final Duration LONGEST = Duration.ofDays(10_000);

    private DurationText() {}

    /**
     * Reads a duration.
     *
     * @throws RefusedException for anything that is not such a text
     */
    public static Duration parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (matcher.matches()) {
            Duration duration = Duration.of(Long.parseLong(matcher.group(1)), unit(matcher.group(2)));
            if (duration.compareTo(LONGEST) <= 0) {
                return duration;
            }
        }
        throw new RefusedException("duration", text.isEmpty() ? "empty" : text, ALLOWED);
    }

    /**
     * Writes a duration in the largest unit that holds it whole. A part of a millisecond counts as a whole one.
     *
     * @throws IllegalArgumentException for a negative duration
     */
    public static String format(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("negative: " + duration);
        }
        return DurationWord.of(duration);
    }

    private static ChronoUnit unit(String text) {
        return switch (text) {
            case "ms" -> ChronoUnit.MILLIS;
            case "s" -> ChronoUnit.SECONDS;
            case "m" -> ChronoUnit.MINUTES;
            case "h" -> ChronoUnit.HOURS;
            default -> ChronoUnit.DAYS;
        };
    }
}
