package io.sluice.core.problem;

/**
 * One thing wrong with something that was set up, in the form {@code <path> was <value>, but <what is allowed>}.
 *
 * @param path where it stands, like {@code rules[2].percent}; of a long one the last {@value #LONGEST_VALUE} characters,
 *     since the end says where
 * @param was what stood there, shortened to {@value #LONGEST_VALUE} characters, control characters made visible
 * @param allowed what may stand there, starting with "must"
 */
public record Problem(String path, String was, String allowed) {
    private static final int LONGEST_VALUE = 80;
    private static final String CUT = "...";

    public Problem {
        path = lastOf(escaped(path));
        was = printable(was);
    }

    @Override
    public String toString() {
        return path + " was " + was + ", but " + allowed;
    }

    Problem under(String prefix) {
        if (prefix.isEmpty()) {
            return this;
        }
        String joined = path.isEmpty() ? prefix : path.startsWith("[") ? prefix + path : prefix + "." + path;
        return new Problem(joined, was, allowed);
    }

    /** Text from outside as it may stand in a terminal or a log: nothing in it acts there, and it is shortened. */
    public static String printable(String value) {
        // Escaping only makes longer, so what lies beyond need not be looked at.
        String shown = escaped(value.substring(0, Math.min(value.length(), LONGEST_VALUE + 2)));
        return shown.length() > LONGEST_VALUE ? shown.substring(0, cut(shown, LONGEST_VALUE)) + CUT : shown;
    }

    /** Text from outside with everything that would act in a terminal or a log made visible, whatever its length. */
    public static String escaped(String value) {
        StringBuilder out = new StringBuilder(value.length());
        value.codePoints().forEach(point -> {
            if (acts(point)) {
                for (char unit : Character.toChars(point)) {
                    out.append(String.format("\\u%04x", (int) unit));
                }
            } else {
                out.appendCodePoint(point);
            }
        });
        return out.toString();
    }

    /** A surrogate that is met alone here has no partner. */
    private static boolean acts(int point) {
        int type = Character.getType(point);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.SURROGATE
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }

    private static String lastOf(String path) {
        int over = path.length() - LONGEST_VALUE;
        return over > 0 ? CUT + path.substring(cut(path, over)) : path;
    }

    /** The same place, or the one before it if it would part two halves of a character. */
    private static int cut(String text, int at) {
        return Character.isLowSurrogate(text.charAt(at)) ? at - 1 : at;
    }
}
