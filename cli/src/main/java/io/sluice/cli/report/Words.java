package io.sluice.cli.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers and times as people read them. What is not there, or is no number, is empty. */
final class Words {
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    /** What stands in a column of the bad ones among all. */
    static final String HOW_COUNTED = "Bad of all are customers for errors and slow, and requests for slower_p50,"
            + " slower_p90 and slower_p99. Counts are of closed ticks: what came in a tick that is still open is not"
            + " among them.";

    private static final double MANY = 1e6;
    private static final double FEW = 1e-3;

    private Words() {}

    /** A whole number, its thousands apart. */
    static String count(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%,.0f", value) : "";
    }

    /** So many of how many. */
    static String share(double bad, double all) {
        return Double.isFinite(all) ? count(Double.isFinite(bad) ? bad : 0) + " of " + count(all) : "";
    }

    static String customers(double count) {
        return Double.isFinite(count) ? count(count) + (count == 1 ? " customer" : " customers") : "";
    }

    /** As it is, without an exponent. */
    static String number(double value) {
        return Double.isFinite(value)
                ? BigDecimal.valueOf(value).stripTrailingZeros().toPlainString()
                : "";
    }

    /** To two decimals, so that a column of them can be read down. */
    static String hundredths(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value) : "";
    }

    static String percent(double value) {
        return Double.isFinite(value) ? number(value) + " %" : "";
    }

    /** Evidence, of which only the order of magnitude means anything: three digits, and no end of them. */
    static String evidence(double value) {
        if (Double.isNaN(value)) {
            return "";
        }
        if (value > MANY) {
            return "> 1,000,000";
        }
        if (value >= 0 && value < FEW) {
            return "< 0.001";
        }
        BigDecimal digits = new BigDecimal(value).round(new MathContext(3, RoundingMode.HALF_UP));
        return Math.abs(value) >= 1000
                ? count(digits.doubleValue())
                : digits.stripTrailingZeros().toPlainString();
    }

    /** By the second, in UTC. */
    static String time(@Nullable Instant at) {
        return at == null ? "" : SECONDS.format(at) + " UTC";
    }

    /** In its two largest units. */
    static String span(Duration length) {
        long seconds = length.toSeconds();
        if (seconds < 60) {
            return BigDecimal.valueOf(length.toMillis(), 3).stripTrailingZeros().toPlainString() + " s";
        }
        if (seconds < 3600) {
            return two(seconds / 60, "min", seconds % 60, "s");
        }
        return seconds < 86_400
                ? two(seconds / 3600, "h", seconds / 60 % 60, "min")
                : two(seconds / 86_400, "d", seconds / 3600 % 24, "h");
    }

    /** To four digits, for axes. */
    static String rounded(double value) {
        return new BigDecimal(value)
                .round(new MathContext(4, RoundingMode.HALF_UP))
                .stripTrailingZeros()
                .toPlainString();
    }

    /** The class that styles a word of the server's: a known one, or {@code other}. */
    static String kind(String word) {
        return switch (word) {
            case "HEALTHY", "completed" -> "healthy";
            case "HOLD", "paused" -> "hold";
            case "BREACH", "aborted" -> "breach";
            default -> "other";
        };
    }

    static String coordinate(double value) {
        return BigDecimal.valueOf(value)
                .setScale(1, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }

    private static String two(long large, String unit, long small, String smallUnit) {
        return large + " " + unit + (small == 0 ? "" : " " + small + " " + smallUnit);
    }
}
