package io.sluice.core.decision;

import io.sluice.core.problem.RefusedException;
import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * A share of the customers in basis points, so that no decision ever touches a floating-point number.
 *
 * @param basisPoints hundredths of a percent, 0..10000
 */
public record Percent(int basisPoints) implements Comparable<Percent> {
    public static final Percent ZERO = new Percent(0);
    public static final Percent HUNDRED = new Percent(10_000);

    /** What a percent may be, in the words of every error about one. */
    public static final String ALLOWED = "must be within 0..100 with at most two decimals";

    // ASCII digits only: Java's own parsers also take signs, exponents, hex and other scripts' digits.
    private static final Pattern TEXT = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,2})?");

    public Percent {
        if (basisPoints < 0 || basisPoints > 10_000) {
            throw new RefusedException(
                    "percent", BigDecimal.valueOf(basisPoints, 2).toPlainString(), ALLOWED);
        }
    }

    public static Percent of(int percent) {
        if (percent < 0 || percent > 100) {
            throw new RefusedException("percent", String.valueOf(percent), ALLOWED);
        }
        return new Percent(percent * 100);
    }

    /**
     * Reads {@code 10}, {@code 0.5}, {@code 33.33}: ASCII digits, at most two decimals.
     *
     * @throws RefusedException for anything else
     */
    public static Percent parse(String text) {
        if (!TEXT.matcher(text).matches()) {
            throw new RefusedException("percent", text.isEmpty() ? "empty" : text, ALLOWED);
        }
        int basisPoints = new BigDecimal(text).movePointRight(2).intValueExact();
        if (basisPoints > 10_000) {
            throw new RefusedException("percent", text, ALLOWED);
        }
        return new Percent(basisPoints);
    }

    /** Whether it sends everybody one way, so that no bucket is asked. */
    public boolean isAllOrNothing() {
        return basisPoints == 0 || basisPoints == 10_000;
    }

    public boolean covers(int bucket) {
        return bucket < basisPoints;
    }

    @Override
    public int compareTo(Percent other) {
        return Integer.compare(basisPoints, other.basisPoints);
    }

    /** The number without a sign, like {@code 10} or {@code 0.5}. */
    public String number() {
        return BigDecimal.valueOf(basisPoints, 2).stripTrailingZeros().toPlainString();
    }

    @Override
    public String toString() {
        return number() + "%";
    }
}
