package io.sluice.spring;

import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.RuleSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** The settings, checked, and the rules. A {@link RuleSource} of the application's own takes the place of ours. */
@AutoConfiguration
@EnableConfigurationProperties(SluiceProperties.class)
public class SluiceAutoConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(SluiceAutoConfiguration.class);

    @Bean
    SluiceSettings sluiceSettings(SluiceProperties written, @Value("${spring.application.name:}") String name) {
        return SluiceSettings.from(written, name);
    }

    @Bean
    @ConditionalOnMissingBean
    RuleSource sluiceRules(SluiceSettings settings) {
        LOG.info("sluice.server is not set: everybody is stable here, and tags of others are passed on");
        return new InMemoryRuleSource();
    }
}
