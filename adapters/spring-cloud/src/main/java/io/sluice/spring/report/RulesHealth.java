package io.sluice.spring.report;

import io.sluice.core.problem.Problem;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import java.util.List;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Shows which rules hold here, where they come from and how far they are known to be the newest. Always up: decisions never stop. */
final class RulesHealth implements HealthIndicator {
    private final RuleSource rules;
    private final String origin;

    RulesHealth(RuleSource rules, String origin) {
        this.rules = rules;
        this.origin = origin;
    }

    @Override
    public Health health() {
        RuleSet current = rules.current();
        Health.Builder health = Health.up()
                .withDetail("from", origin)
                .withDetail("state", rules.state())
                .withDetail("epoch", current.epoch())
                .withDetail("revision", current.revision());
        List<String> refusal = rules.refusal().stream().map(Problem::toString).toList();
        return refusal.isEmpty()
                ? health.build()
                : health.withDetail("refused", refusal).build();
    }
}
