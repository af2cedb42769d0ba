package io.sluice.spring.report;

import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Shows which rules hold here and how far they are known to be the newest. Always up: decisions never stop. */
final class RulesHealth implements HealthIndicator {
    private final RuleSource rules;

    RulesHealth(RuleSource rules) {
        this.rules = rules;
    }

    @Override
    public Health health() {
        RuleSet current = rules.current();
        return Health.up()
                .withDetail("state", rules.state())
                .withDetail("epoch", current.epoch())
                .withDetail("revision", current.revision())
                .build();
    }
}
