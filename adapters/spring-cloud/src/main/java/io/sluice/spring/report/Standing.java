package io.sluice.spring.report;

import io.sluice.core.decision.Lane;
import io.sluice.core.observation.Vantage;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.tag.TrafficTag;

/**
 * On which lane this process counts a request as a whole, for logs and meters: canary as soon as one of the releases
 * that it sees counts it there. The guard's tallies are by release instead.
 */
public record Standing(Vantage vantage, RuleSource rules) {
    public Lane laneOf(TrafficTag tag) {
        RuleSet current = rules.current();
        boolean canary = current.watched().stream()
                .anyMatch(rule -> vantage.sees(rule) && vantage.laneOf(rule, tag) == Lane.CANARY);
        return canary ? Lane.CANARY : Lane.STABLE;
    }
}
