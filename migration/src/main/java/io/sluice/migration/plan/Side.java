package io.sluice.migration.plan;

import io.sluice.core.problem.RefusedException;

/** One of the two implementations between which state moves. */
public enum Side {
    LEGACY("legacy"),
    NEW("new");

    private final String label;

    Side(String label) {
        this.label = label;
    }

    public Side other() {
        return this == LEGACY ? NEW : LEGACY;
    }

    /** How it is written in tables, on the wire and on the console. */
    public String label() {
        return label;
    }

    /** @throws RefusedException for a word that is none of the labels */
    public static Side parse(String label) {
        for (Side side : values()) {
            if (side.label.equals(label)) {
                return side;
            }
        }
        throw new RefusedException("side", label.isEmpty() ? "empty" : label, "must be legacy or new");
    }
}
