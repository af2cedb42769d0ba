package io.sluice.wire.migration;

import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import io.sluice.migration.plan.Plan;

/**
 * A request about a migration as a whole: to create it, or to observe it anew.
 *
 * @param name of the migration
 * @param why for the journal, 1..{@value MigrationChange#LONGEST_WHY} characters
 */
public record MigrationRequest(String name, String why) {
    /** @throws io.sluice.core.problem.RefusedException with every problem */
    public MigrationRequest {
        Problems problems = new Problems();
        requireName(name, problems);
        problems.part("why", () -> MigrationChange.requireWhy(why));
        problems.throwIfAny();
    }

    /** By the plan's own rule, which knows the field under another name. */
    private static void requireName(String name, Problems problems) {
        try {
            Plan.start(name);
        } catch (RefusedException refused) {
            refused.problems().forEach(problem -> problems.add("name", problem.was(), problem.allowed()));
        }
    }
}
