package io.sluice.spring.gateway;

import io.sluice.core.observation.ObservationSink;
import io.sluice.core.observation.ServedRequests;
import io.sluice.core.observation.Vantage;
import io.sluice.core.rule.RuleSource;
import io.sluice.spring.SluiceAutoConfiguration;
import io.sluice.spring.SluiceSettings;
import io.sluice.spring.TrustedPeers;
import io.sluice.spring.report.SluiceMeters;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.context.annotation.Bean;

/** Makes a Spring Cloud Gateway the edge. It trusts nobody unless told. */
@AutoConfiguration(after = SluiceAutoConfiguration.class)
@ConditionalOnClass(GlobalFilter.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
public class SluiceGatewayAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Vantage sluiceVantage(SluiceSettings settings) {
        return new Vantage.Edge(settings.service());
    }

    @Bean
    OutsideClaims sluiceOutsideClaims(SluiceSettings settings, SluiceMeters meters) {
        return new OutsideClaims(settings.trustedUpstreams(TrustedPeers.nobody()), meters);
    }

    @Bean
    DyeingFilter sluiceDyeingFilter(
            RuleSource rules,
            SluiceSettings settings,
            ObservationSink observations,
            ServedRequests served,
            SluiceMeters meters) {
        return new DyeingFilter(rules, settings, observations, served, meters);
    }
}
