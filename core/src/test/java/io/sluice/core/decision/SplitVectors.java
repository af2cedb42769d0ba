package io.sluice.core.decision;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The table of 5,000 vectors that every implementation of the split, in any language, must agree with. Computed by
 * {@code src/test/vectors/split-vectors.py}, which shares nothing with the product.
 */
final class SplitVectors {
    private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9a-f]{4})");

    private SplitVectors() {}

    record Row(String salt, String key, int fnv1a, int fnv1aBucket, int mixed, int mixedBucket) {
        private static Row parse(String line) {
            String[] cells = line.split(",", -1);
            return new Row(
                    unescape(cells[0]),
                    unescape(cells[1]),
                    Integer.parseUnsignedInt(cells[2], 16),
                    Integer.parseInt(cells[3]),
                    Integer.parseUnsignedInt(cells[4], 16),
                    Integer.parseInt(cells[5]));
        }
    }

    static List<Row> all() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                SplitVectors.class.getResourceAsStream("/split-vectors.csv"), StandardCharsets.UTF_8))) {
            return lines.lines().skip(1).map(Row::parse).toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String unescape(String cell) {
        return ESCAPE.matcher(cell).replaceAll(escape -> {
            String unit = String.valueOf((char) Integer.parseInt(escape.group(1), 16));
            return Matcher.quoteReplacement(unit);
        });
    }
}
