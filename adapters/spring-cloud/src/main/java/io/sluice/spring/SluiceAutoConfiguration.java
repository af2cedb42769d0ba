package io.sluice.spring;

import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.RuleSource;
import io.sluice.wire.remote.RemoteRuleSource;
import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

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
    InstanceName sluiceInstanceName(SluiceSettings settings, Environment environment) {
        return new InstanceName(settings.service(), environment);
    }

    /** Waits for the first answer for two seconds at most; a start without it goes by the last good rules. */
    @Bean
    @ConditionalOnMissingBean
    RuleSource sluiceRules(SluiceSettings settings) {
        FollowedCenter center = settings.center();
        if (center != null) {
            return CenterRules.follow(center, settings);
        }
        URI server = settings.server();
        if (server == null) {
            LOG.info(
                    "neither sluice.server nor sluice.rules.from is set: no release reaches this process, tags of others are passed on");
            return new InMemoryRuleSource();
        }
        RemoteRuleSource.Builder source =
                RemoteRuleSource.builder(server).lastGood(settings.lastGood(), settings.service());
        if (!settings.token().isEmpty()) {
            source.token(settings.token());
        }
        return source.start();
    }
}
