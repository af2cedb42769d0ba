package io.sluice.core.rule;

import io.sluice.core.decision.Decision;
import io.sluice.core.decision.Lane;
import io.sluice.core.decision.Split;
import io.sluice.core.decision.Weighted;
import io.sluice.core.identity.Identity;
import io.sluice.core.identity.RequestView;
import io.sluice.core.problem.Problems;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TrafficTag;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What every process must know of one release: who goes to its version, in which services. Immutable; deciding never
 * throws, blocks or, beyond the {@link Decision}, allocates.
 *
 * @param id the release
 * @param version the version its canary instances carry in the registry
 * @param services the services it covers, in alphabetical order
 * @param split who goes there; {@code Aborted} after an abort
 * @param rules exceptions to the percentage, the exact ones first, otherwise as given
 * @param step counts this release's changes of weight, so that observations of one stage are never taken for another's
 * @param slowerThan a request that takes longer counts as slow, so that the guard can judge exactly
 * @param overdueAfter a request that is still under way after so long is told of as overdue: the guard's limit on P99
 */
public record ReleaseRule(
        String id,
        String version,
        List<String> services,
        Split split,
        List<Rule> rules,
        long step,
        Duration slowerThan,
        Duration overdueAfter)
        implements Watched {
    private static final int MOST_SERVICES = 200;

    /** One whose requests are overdue when they are slow. */
    public ReleaseRule(
            String id,
            String version,
            List<String> services,
            Split split,
            List<Rule> rules,
            long step,
            Duration slowerThan) {
        this(id, version, services, split, rules, step, slowerThan, slowerThan);
    }

    public ReleaseRule {
        Problems problems = new Problems();
        problems.part("id", () -> Names.requireId(id));
        problems.part("version", () -> Names.requireVersion(version));
        services = checkedServices(services, problems);
        rules = checkedRules(rules, problems);
        problems.require(step >= 0, "step", step, "must not be negative");
        problems.require(
                slowerThan.toNanos() > 0, "slowerThan", slowerThan.toMillis() + "ms", "must be longer than zero");
        problems.require(
                overdueAfter.equals(slowerThan) || overdueAfter.toNanos() > 0,
                "overdueAfter",
                overdueAfter.toMillis() + "ms",
                "must be longer than zero");
        problems.throwIfAny();
    }

    /** The lane of a request, in the order abort, allowlist, exact rule, percentage rule, percentage. */
    public Decision decide(RequestView request, Identity who) {
        Rule rule = ((Rules) rules).first(request, who);
        return rule == null ? split.decide(who) : split.decide(who, rule.percent(), rule.reason());
    }

    /**
     * The lane that a tag holds in this release. A tag that names another version than the release's own is stable, and so
     * is every tag once the release was aborted.
     */
    @Override
    public Lane laneOf(TrafficTag tag) {
        return !isAborted() && version.equals(tag.versionIn(id)) ? Lane.CANARY : Lane.STABLE;
    }

    @Override
    public String release() {
        return id;
    }

    /** An instance of another version than the release's own is stable, and so is one that stands in a color. */
    @Override
    public Lane laneOfInstance(String instanceVersion, @Nullable Color color) {
        return color == null && version.equals(instanceVersion) ? Lane.CANARY : Lane.STABLE;
    }

    /** Whether a customer's lane is left to chance: not for one on the allowlist. The empty id is nobody's. */
    @Override
    public boolean isByChance(String uid) {
        return !(split instanceof Weighted weighted && weighted.allow().contains(uid));
    }

    @Override
    public boolean isToldByTags() {
        return true;
    }

    public boolean isAborted() {
        return split.isAborted();
    }

    @Override
    public boolean covers(String service) {
        return services.contains(service);
    }

    static List<String> checkedServices(List<String> services, Problems problems) {
        problems.require(!services.isEmpty(), "services", "empty", "must name at least one service");
        problems.require(
                services.size() <= MOST_SERVICES,
                "services",
                services.size() + " services",
                "must be at most " + MOST_SERVICES);
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < services.size(); i++) {
            String service = services.get(i);
            problems.part("services[" + i + "]", () -> Names.requireService(service));
            problems.require(seen.add(service), "services[" + i + "]", service, "must be named once");
        }
        return services.stream().sorted().toList();
    }

    static List<Rule> checkedRules(List<Rule> rules, Problems problems) {
        problems.require(rules.size() <= 1000, "rules", rules.size() + " rules", "must be at most 1000");
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < rules.size(); i++) {
            String name = rules.get(i).name();
            problems.require(seen.add(name), "rules[" + i + "].name", name, "must be used once");
        }
        return Rules.of(rules);
    }
}
