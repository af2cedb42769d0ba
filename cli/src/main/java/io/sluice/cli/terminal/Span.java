package io.sluice.cli.terminal;

import io.sluice.core.problem.DurationWord;
import java.time.Duration;

/** How long something takes, as people look at it: {@code 40s}, {@code 1m 5s}, {@code 2h}. */
public final class Span {
    private Span() {}

    /** In its two largest units; in milliseconds below one second. */
    public static String of(long millis) {
        if (millis < 1000) {
            return DurationWord.of(Duration.ofMillis(millis));
        }
        long seconds = millis / 1000;
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3600) {
            return two(seconds / 60, "m", seconds % 60, "s");
        }
        return seconds < 86_400
                ? two(seconds / 3600, "h", seconds / 60 % 60, "m")
                : two(seconds / 86_400, "d", seconds / 3600 % 24, "h");
    }

    private static String two(long large, String unit, long small, String smallUnit) {
        return large + unit + (small == 0 ? "" : " " + small + smallUnit);
    }
}
