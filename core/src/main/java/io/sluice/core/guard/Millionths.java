package io.sluice.core.guard;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/** Shares in millionths, as people write them. */
final class Millionths {
    private static final Pattern TEXT = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,6})?%?");

    private Millionths() {}

    /** Of a share ({@code 0.02}) or a percentage ({@code 2%}) within 0..1, at most six decimals; -1 for anything else. */
    static int parse(String text) {
        if (!TEXT.matcher(text).matches()) {
            return -1;
        }
        boolean percentage = text.endsWith("%");
        BigDecimal number = new BigDecimal(percentage ? text.substring(0, text.length() - 1) : text);
        BigDecimal ppm = number.movePointRight(percentage ? 4 : 6).stripTrailingZeros();
        boolean fits = ppm.scale() <= 0 && ppm.compareTo(BigDecimal.valueOf(1_000_000)) <= 0;
        return fits ? ppm.intValueExact() : -1;
    }

    static String fraction(int ppm) {
        return BigDecimal.valueOf(ppm, 6).stripTrailingZeros().toPlainString();
    }

    static String percentage(int ppm) {
        return BigDecimal.valueOf(ppm, 4).stripTrailingZeros().toPlainString() + "%";
    }
}
