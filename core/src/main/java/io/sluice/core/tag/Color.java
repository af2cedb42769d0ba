package io.sluice.core.tag;

import io.sluice.core.problem.RefusedException;
import java.util.Locale;

/** One of the two sides that the instances of a channel stand on. */
public enum Color {
    BLUE,
    GREEN;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Color other() {
        return this == BLUE ? GREEN : BLUE;
    }

    /**
     * Reads {@code blue} or {@code green}, as they are written everywhere.
     *
     * @throws RefusedException with an empty path for anything else
     */
    public static Color parse(String text) {
        return switch (text) {
            case "blue" -> BLUE;
            case "green" -> GREEN;
            default -> throw new RefusedException("", text.isEmpty() ? "empty" : text, "must be blue or green");
        };
    }
}
