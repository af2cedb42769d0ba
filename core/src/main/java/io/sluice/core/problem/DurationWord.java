package io.sluice.core.problem;

import java.time.Duration;

/** Durations as people write them, for errors and reasons: {@code 300ms}, {@code 10s}, {@code 5m}, {@code 2d}. */
public final class DurationWord {
    private DurationWord() {}

    /** In the largest unit that holds it whole. A part of a millisecond counts as a whole one. */
    public static String of(Duration duration) {
        if (duration.isNegative()) {
            return "-" + of(duration.negated());
        }
        // By parts, since the longest duration there is has more milliseconds than a long holds.
        long seconds = duration.getSeconds();
        int millis = (duration.getNano() + 999_999) / 1_000_000;
        if (millis % 1000 != 0) {
            return Math.addExact(Math.multiplyExact(seconds, 1000), millis) + "ms";
        }
        seconds += millis / 1000;
        if (seconds == 0 || seconds % 60 != 0) {
            return seconds + "s";
        }
        long minutes = seconds / 60;
        if (minutes % 60 != 0) {
            return minutes + "m";
        }
        long hours = minutes / 60;
        return hours % 24 == 0 ? hours / 24 + "d" : hours + "h";
    }
}
