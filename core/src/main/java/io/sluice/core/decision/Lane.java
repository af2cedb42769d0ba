package io.sluice.core.decision;

import java.util.Locale;

/** The side of a release that a request belongs to. */
public enum Lane {
    STABLE,
    CANARY;

    /** The word for it in files, logs and metrics: {@code stable} or {@code canary}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
