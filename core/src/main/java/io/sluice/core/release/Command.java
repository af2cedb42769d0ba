package io.sluice.core.release;

import java.util.Locale;

/** What an operator can tell a release. */
public enum Command {
    START,
    PAUSE,
    RESUME,
    /** Go to the next stage now, whatever the hold time and the verdict say. */
    PROMOTE,
    /** Go back one stage and pause there. */
    BACK,
    ABORT;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
