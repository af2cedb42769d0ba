package io.sluice.spring.registry;

import io.sluice.core.rule.RuleSource;
import io.sluice.spring.InstanceName;
import io.sluice.spring.SluiceAutoConfiguration;
import io.sluice.spring.SluiceSettings;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.cloud.client.serviceregistry.ServiceRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/** Lets an instance leave the registry of Spring Cloud that it is in, whichever that is. */
@AutoConfiguration(after = SluiceAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE) // When it is known whether there is a registry.
@ConditionalOnClass(ServiceRegistry.class)
@ConditionalOnBean(ServiceRegistry.class)
public class SluiceRegistryAutoConfiguration {

    @Bean
    static RegistryGates sluiceRegistryGates(ObjectProvider<Registrations> registrations) {
        return new RegistryGates(registrations);
    }

    @Bean
    Registrations sluiceRegistrations(RuleSource rules, SluiceSettings settings, InstanceName instance) {
        return Registrations.following(rules, settings, instance);
    }
}
