package io.sluice.core.rule;

import io.sluice.core.decision.Percent;
import io.sluice.core.problem.Problems;

/**
 * An exception to a release's percentage: requests that match get another share.
 *
 * <p>At 100 % it sends all of them to canary, at 0 % none: these are the exact rules, asked before the others. Between,
 * the release's own buckets decide, so a customer's lane still only ever moves one way.
 *
 * @param name names the rule in reasons and reports, {@code [a-z0-9][a-z0-9._-]{0,63}}
 * @param reason {@code rule:<name>}, made once so that deciding allocates nothing for it
 */
public record Rule(String name, Match match, Percent percent, String reason) {
    /** @throws io.sluice.core.problem.RefusedException when the name is not one */
    public Rule {
        Problems problems = new Problems();
        problems.part("name", () -> Names.requireId(name));
        problems.throwIfAny();
    }

    public static Rule of(String name, Match match, Percent percent) {
        return new Rule(name, match, percent, "rule:" + name);
    }
}
