package io.sluice.cli.demo;

import io.sluice.core.observation.Tally;
import java.util.Locale;

/** Numbers as the demo shows them. */
public final class Figure {
    private static final double MEBIBYTE = 1024.0 * 1024.0;

    private Figure() {}

    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    static String share(long part, long whole) {
        return whole == 0 ? "-" : String.format(Locale.ROOT, "%.1f%%", 100.0 * part / whole);
    }

    public static String millis(long millis) {
        return millis + "ms";
    }

    static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%,.0f MB", bytes / MEBIBYTE);
    }

    static String lane(String name, Tally tally) {
        return "%s %s, %s failed, P99 %s"
                .formatted(
                        name,
                        count(tally.count()),
                        share(tally.failed(), tally.count()),
                        millis(tally.quantile(99).toMillis()));
    }

    static String held(ReleaseState release) {
        return release.hold().isZero()
                ? ""
                : "held %ds/%ds"
                        .formatted(release.held().toSeconds(), release.hold().toSeconds());
    }

    static String verdict(ReleaseState release) {
        return release.health().isEmpty() ? "no verdict yet" : release.health() + " " + release.verdict();
    }
}
