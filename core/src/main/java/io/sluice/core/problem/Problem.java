package io.sluice.core.problem;

/**
 * One thing wrong with something that was set up, in the form {@code <path> was <value>, but <what is allowed>}.
 *
 * @param path where it stands, like {@code rules[2].percent}
 * @param was what stood there, shortened to {@value #LONGEST_VALUE} characters, control characters made visible
 * @param allowed what may stand there, starting with "must"
 */
public record Problem(String path, String was, String allowed) {
    private static final int LONGEST_VALUE = 80;

    public Problem {
        path = printable(path);
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

    /** Text from outside as it may stand in a terminal or a log: shortened, and nothing in it acts there. */
    public static String printable(String value) {
        StringBuilder out = new StringBuilder(Math.min(value.length(), LONGEST_VALUE));
        for (int i = 0; i < value.length(); i++) {
            if (out.length() >= LONGEST_VALUE) {
                return out.append("...").toString();
            }
            char c = value.charAt(i);
            int type = Character.getType(c);
            boolean acts = type == Character.CONTROL
                    || type == Character.FORMAT
                    || type == Character.SURROGATE && !isPaired(value, i)
                    || type == Character.LINE_SEPARATOR
                    || type == Character.PARAGRAPH_SEPARATOR;
            out.append(acts ? String.format("\\u%04x", (int) c) : String.valueOf(c));
        }
        return out.toString();
    }

    private static boolean isPaired(String value, int at) {
        return Character.isHighSurrogate(value.charAt(at))
                ? at + 1 < value.length() && Character.isLowSurrogate(value.charAt(at + 1))
                : at > 0 && Character.isHighSurrogate(value.charAt(at - 1));
    }
}
