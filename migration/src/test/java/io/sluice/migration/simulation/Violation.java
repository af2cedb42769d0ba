package io.sluice.migration.simulation;

/** Something happened that must never happen, or nothing happens any more. Its message begins with what. */
final class Violation extends AssertionError {
    private static final long serialVersionUID = 1L;

    Violation(String what) {
        super(what);
    }
}
