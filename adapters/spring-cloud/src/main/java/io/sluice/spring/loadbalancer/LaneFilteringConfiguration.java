package io.sluice.spring.loadbalancer;

import io.sluice.core.rule.RuleSource;
import io.sluice.spring.SluiceSettings;
import io.sluice.spring.report.SluiceMeters;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;

/** A part of every client's own context; no {@code @Configuration}, so that no scan takes it into the application's. */
class LaneFilteringConfiguration {
    @Bean
    static LaneFiltering sluiceLaneFiltering(
            ObjectProvider<RuleSource> rules,
            ObjectProvider<SluiceSettings> settings,
            ObjectProvider<SluiceMeters> meters) {
        return new LaneFiltering(rules, settings, meters);
    }
}
