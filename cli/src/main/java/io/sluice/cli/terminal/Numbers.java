package io.sluice.cli.terminal;

import io.sluice.core.decision.Percent;
import io.sluice.core.problem.RefusedException;

/** Numbers as options have them. */
public final class Numbers {
    private static final int LONGEST = 10;

    private Numbers() {}

    /** With or without its sign. */
    public static Percent percent(String text) {
        return Percent.parse(text.endsWith("%") ? text.substring(0, text.length() - 1) : text);
    }

    /** What it may be beyond that, the command says. */
    public static long whole(String text) {
        if (text.length() > LONGEST || !text.matches("[0-9]+")) {
            throw new RefusedException(
                    "", text.isEmpty() ? "empty" : text, "must be a whole number, at most ten digits");
        }
        return Long.parseLong(text);
    }

    public static int instances(String text) {
        long number = whole(text);
        if (number > Integer.MAX_VALUE) {
            throw new RefusedException("", text, "must be at most " + Integer.MAX_VALUE);
        }
        return (int) number;
    }
}
