package io.sluice.spring;

import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Percent;
import io.sluice.core.decision.Split;
import io.sluice.core.decision.Weighted;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.Match;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.Rule;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.tag.Assignment;
import io.sluice.core.tag.TrafficTag;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The release that the tests of this module run: version v2 of order and inventory. */
public final class TestRules {
    public static final String RELEASE = "release-1";
    public static final String VERSION = "v2";

    /** A customer of the allowlist, on canary at any percentage. */
    public static final String VIP = "vip-1";

    /** The header that leads to canary by a rule. */
    public static final String PREVIEW = "X-Preview";

    private TestRules() {}

    /** The first rules: a release at some percent. */
    public static RuleSet live(int percent) {
        return rules(1, split(percent));
    }

    /** The next ones: everybody is on canary. */
    public static RuleSet everybody() {
        return rules(2, split(100));
    }

    /** The last ones: nobody is, not even the allowlist. */
    public static RuleSet aborted() {
        return rules(3, split(0).abort("test"));
    }

    /** The same rules, by which the header leads to canary too. */
    public static RuleSet withPreview(RuleSet rules) {
        ReleaseRule plain = rules.releases().get(0);
        ReleaseRule rule = new ReleaseRule(
                plain.id(),
                plain.version(),
                plain.services(),
                plain.split(),
                List.of(Rule.of("preview", new Match.Header(PREVIEW, "v2"), Percent.of(100))),
                plain.step(),
                plain.slowerThan());
        return RuleSet.of(rules.epoch(), rules.revision(), List.of(rule));
    }

    /** A source that holds these rules. */
    public static InMemoryRuleSource holding(RuleSet rules) {
        InMemoryRuleSource source = new InMemoryRuleSource();
        source.offer(rules);
        return source;
    }

    /** The tag of a customer on the release's canary. */
    public static TrafficTag canaryTag(String customer) {
        return new TrafficTag(customer, "", List.of(new Assignment(RELEASE, VERSION)));
    }

    public static TrafficTag stableTag(String customer) {
        return new TrafficTag(customer, "", List.of());
    }

    private static Split split(int percent) {
        return new Weighted(Bucketing.of(BucketHash.FNV1A_MIXED, RELEASE), Percent.of(percent), Set.of(VIP));
    }

    private static RuleSet rules(long revision, Split split) {
        ReleaseRule rule = new ReleaseRule(
                RELEASE, VERSION, List.of("order", "inventory"), split, List.of(), 1, Duration.ofSeconds(1));
        return RuleSet.of(1, revision, List.of(rule));
    }
}
