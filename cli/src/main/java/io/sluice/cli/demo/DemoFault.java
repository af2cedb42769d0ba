package io.sluice.cli.demo;

import io.sluice.core.guard.ErrorRate;
import io.sluice.core.problem.RefusedException;
import io.sluice.wire.DurationText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the new version of order is bad on purpose, so that its release has to be aborted.
 *
 * @param text what the demo's order service is told, like {@code errors=6%}; empty for a good version
 */
record DemoFault(String text) {
    private static final DemoFault NONE = new DemoFault("");
    private static final Pattern ERRORS = Pattern.compile("errors=([0-9]{1,3}(?:\\.[0-9]{1,2})?%)");
    private static final Pattern SLOW = Pattern.compile("slow=([0-9]{1,6}(?:ms|s))");

    static DemoFault none() {
        return NONE;
    }

    /**
     * Reads {@code errors=6%}, {@code slow=500ms} or nothing.
     *
     * @throws RefusedException for anything else, and for a fault within the limits, which nobody could find
     */
    static DemoFault parse(String text) {
        if (text.isEmpty() || isFound(text)) {
            return new DemoFault(text);
        }
        throw new RefusedException(
                "fault",
                text,
                "must be errors=PERCENT above " + DemoSettings.MAX_ERROR_RATE + " or slow=DURATION above "
                        + DurationText.format(DemoSettings.SLOWDOWN) + ", like errors=6% or slow=500ms");
    }

    private static boolean isFound(String text) {
        Matcher errors = ERRORS.matcher(text);
        if (errors.matches()) {
            return isErrorRateAboveLimit(errors.group(1));
        }
        Matcher slow = SLOW.matcher(text);
        return slow.matches() && DurationText.parse(slow.group(1)).compareTo(DemoSettings.SLOWDOWN) > 0;
    }

    private static boolean isErrorRateAboveLimit(String percentage) {
        try {
            return ErrorRate.parse(percentage).ppm() > DemoSettings.MAX_ERROR_RATE.ppm();
        } catch (RefusedException aboveHundred) {
            return false;
        }
    }

    boolean isSlow() {
        return SLOW.matcher(text).matches();
    }

    boolean isNone() {
        return text.isEmpty();
    }
}
