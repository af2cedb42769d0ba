package io.sluice.core.channel;

/**
 * Whether a release of a channel can be taken back now.
 *
 * @param isOpen whether it can
 * @param why not; empty when it can
 */
public record WayBack(boolean isOpen, String why) {
    /** What a refusal begins with, for programs. */
    public static final String REFUSED = "NO_WAY_BACK: ";

    static final WayBack OPEN = new WayBack(true, "");

    static WayBack closed(String why) {
        return new WayBack(false, why);
    }

    /** The refusal. */
    String refusal() {
        return REFUSED + why;
    }
}
