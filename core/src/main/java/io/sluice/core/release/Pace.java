package io.sluice.core.release;

import java.util.Locale;

/** What a stage needs beyond its hold time and a healthy verdict. */
public enum Pace {
    /** Nothing. */
    TIME,
    /** That the error rate is shown to be under its limit. With short hold times: as fast as the evidence allows. */
    EVIDENCE;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
