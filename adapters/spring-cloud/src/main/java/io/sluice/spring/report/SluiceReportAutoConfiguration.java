package io.sluice.spring.report;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.core.observation.ObservationRecorder;
import io.sluice.core.observation.ObservationSink;
import io.sluice.core.observation.ServedRequests;
import io.sluice.core.observation.Vantage;
import io.sluice.core.rule.RuleSource;
import io.sluice.spring.InstanceName;
import io.sluice.spring.SluiceAutoConfiguration;
import io.sluice.spring.SluiceSettings;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** Tallies, meters and health. What Boot provides for the last two may be missing. */
@AutoConfiguration(
        after = SluiceAutoConfiguration.class,
        afterName = {
            "io.sluice.spring.gateway.SluiceGatewayAutoConfiguration",
            "io.sluice.spring.registry.SluiceRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
public class SluiceReportAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Vantage sluiceVantage(SluiceSettings settings) {
        return new Vantage.Instance(settings.service(), settings.version(), settings.color());
    }

    @Bean
    Standing sluiceStanding(Vantage vantage, RuleSource rules) {
        return new Standing(vantage, rules);
    }

    @Bean
    @ConditionalOnMissingBean
    ObservationRecorder sluiceRecorder(Vantage vantage, RuleSource rules) {
        return new ObservationRecorder(vantage, rules);
    }

    /** What the doors tell of requests; a recorder is a sink too, but notes tallies only. */
    @Bean
    @Primary
    ObservationSink sluiceObservations(ObservationRecorder recorder, Standing standing, SluiceMeters meters) {
        return new MeteredSink(recorder, standing, meters);
    }

    @Bean
    ServedRequests sluiceServedRequests() {
        return new ServedRequests();
    }

    /** Of an application that registers nowhere. */
    @Bean
    @ConditionalOnMissingBean
    Presence sluicePresence() {
        return Presence.always();
    }

    @Bean
    Reporting sluiceReporting(
            SluiceSettings settings,
            InstanceName instance,
            RuleSource rules,
            ObservationRecorder recorder,
            ServedRequests served,
            Presence presence) {
        return new Reporting(settings, instance, rules, recorder, served, presence);
    }

    @Bean
    @ConditionalOnMissingBean
    SluiceMeters sluiceNoMeters() {
        return SluiceMeters.discarding();
    }

    // Looked at before the methods above, as every nested configuration is.
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean(MeterRegistry.class)
    static class WithMicrometer {
        @Bean
        @ConditionalOnMissingBean
        SluiceMeters sluiceMeters(MeterRegistry registry, SluiceSettings settings) {
            return new MicrometerMeters(registry, settings.service());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    static class WithHealth {
        @Bean
        @ConditionalOnEnabledHealthIndicator("sluice")
        @ConditionalOnMissingBean(name = "sluiceHealthIndicator")
        HealthIndicator sluiceHealthIndicator(RuleSource rules, SluiceSettings settings, BeanFactory beans) {
            boolean isOurs = beans.containsBean("sluiceRules");
            return new RulesHealth(rules, isOurs ? settings.origin() : "the application");
        }
    }
}
