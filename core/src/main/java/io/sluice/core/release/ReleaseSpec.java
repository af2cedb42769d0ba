package io.sluice.core.release;

import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Percent;
import io.sluice.core.decision.Split;
import io.sluice.core.decision.Weighted;
import io.sluice.core.guard.StageGuard;
import io.sluice.core.identity.Customers;
import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.Rule;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What was asked for when a release was created. Nothing of it changes while the release lives, the salt least of all.
 *
 * @param id names the release in tags, files and addresses
 * @param version the version that the canary instances carry
 * @param services what is released together, in alphabetical order
 * @param bucketing hash and salt
 * @param allow customers who are on canary from the first stage to the last
 * @param rules exceptions to the percentage
 * @param plan stages and limits
 */
public record ReleaseSpec(
        String id,
        String version,
        List<String> services,
        Bucketing bucketing,
        Set<String> allow,
        List<Rule> rules,
        Plan plan) {
    /** @throws io.sluice.core.problem.RefusedException with every problem of the parts together */
    public ReleaseSpec {
        ReleaseRule checked = checked(id, version, services, bucketing, allow, rules, plan);
        services = checked.services();
        rules = checked.rules();
        // Prepared once for all the splits that this release will have.
        allow = Customers.of(allow);
    }

    /** The rule that processes will get has the same parts under the same conditions, so it is the check. */
    private static ReleaseRule checked(
            String id,
            String version,
            List<String> services,
            Bucketing bucketing,
            Set<String> allow,
            List<Rule> rules,
            Plan plan) {
        Problems problems = new Problems();
        problems.part("", () -> new Weighted(bucketing, Percent.ZERO, allow));
        Split nobody = new Weighted(bucketing, Percent.ZERO, Set.of());
        ReleaseRule rule =
                problems.part("", () -> new ReleaseRule(id, version, services, nobody, rules, 0, plan.slowerThan()));
        problems.part("", () -> requireSomebody(plan.stages(), allow, rules));
        problems.throwIfAny();
        return Objects.requireNonNull(rule, "refused without a problem");
    }

    /**
     * Stages on the first of which somebody is on canary, if only its allowlist or whom rules send there.
     *
     * @return the same
     * @throws io.sluice.core.problem.RefusedException when nobody is
     */
    public static List<Stage> requireSomebody(List<Stage> stages, Collection<String> allow, List<Rule> rules) {
        boolean nobody = stages.get(0).percent().equals(Percent.ZERO)
                && allow.isEmpty()
                && rules.stream().allMatch(rule -> rule.percent().equals(Percent.ZERO));
        if (nobody) {
            throw new RefusedException(
                    "plan.stages[0].percent",
                    Percent.ZERO.toString(),
                    "must be more than 0%, or the release must have an allowlist or rules that send somebody to canary");
        }
        return stages;
    }

    ReleaseRule ruleOf(Split split, long step) {
        return new ReleaseRule(
                id,
                version,
                services,
                split,
                rules,
                step,
                plan.slowerThan(),
                plan.limits().maxP99());
    }

    /** The guard of one stage. With rules, who is on canary is not left to chance, and the sample ratio says nothing. */
    public StageGuard guard(int stage) {
        return plan.guard(stage, services.size(), rules.isEmpty());
    }

    /** The split at some percentage. */
    Split split(Percent percent) {
        return new Weighted(bucketing, percent, allow);
    }

    boolean sharesServiceWith(ReleaseSpec other) {
        return services.stream().anyMatch(other.services::contains);
    }
}
