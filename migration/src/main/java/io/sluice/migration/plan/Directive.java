package io.sluice.migration.plan;

/**
 * What is wanted of one migration now, as it is stored and sent around.
 *
 * @param version counts every change, from 1; {@link Plan#revision()} counts only those of the plan, so that pausing does
 *     not try keys again that were handed back
 * @param plan where the keys should be
 * @param pace how fast they get there
 */
public record Directive(long version, Plan plan, Pace pace) {
    /** Everything at legacy. */
    public static Directive start(String migration) {
        return new Directive(1, Plan.start(migration), Pace.DEFAULT);
    }

    public Directive with(Plan next) {
        return new Directive(version + 1, next, pace);
    }

    public Directive with(Pace next) {
        return new Directive(version + 1, plan, next);
    }
}
