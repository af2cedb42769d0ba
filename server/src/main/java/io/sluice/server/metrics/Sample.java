package io.sluice.server.metrics;

/**
 * One number of an answer.
 *
 * @param label the value of its label {@link #LABEL}; empty without one
 * @param value may be NaN or infinite
 */
record Sample(String label, double value) {
    /** What the parts of a question mark their numbers with. */
    static final String LABEL = "sluice_part";
}
