package io.sluice.cli.terminal;

import java.math.BigDecimal;
import java.util.List;

/**
 * One JSON object on one line, flat but for lists of texts, its members in the order they were added.
 *
 * <p>Our own few lines, since a JSON library takes longer to load than {@code split} takes to run.
 */
public final class JsonLine {
    private final StringBuilder out = new StringBuilder("{");

    public JsonLine with(String name, String value) {
        quote(value, member(name));
        return this;
    }

    public JsonLine with(String name, long value) {
        member(name).append(value);
        return this;
    }

    public JsonLine with(String name, boolean value) {
        member(name).append(value);
        return this;
    }

    /** A list of texts. */
    public JsonLine with(String name, List<String> values) {
        member(name).append('[');
        String comma = "";
        for (String value : values) {
            out.append(comma);
            quote(value, out);
            comma = ",";
        }
        out.append(']');
        return this;
    }

    /** A number in plain notation, without trailing zeros. */
    public JsonLine with(String name, BigDecimal value) {
        member(name)
                .append(value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString());
        return this;
    }

    /** A member that has no value, as a share of nothing. */
    public JsonLine withNull(String name) {
        member(name).append("null");
        return this;
    }

    @Override
    public String toString() {
        return out + "}";
    }

    private StringBuilder member(String name) {
        if (out.length() > 1) {
            out.append(',');
        }
        quote(name, out);
        return out.append(':');
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20 || c == 0x7f || isLoneSurrogate(text, i)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private static boolean isLoneSurrogate(String text, int i) {
        char c = text.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
        }
        return Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
    }
}
