package io.sluice.spring.client;

import feign.RequestInterceptor;
import io.sluice.core.rule.RuleSource;
import io.sluice.spring.SluiceAutoConfiguration;
import io.sluice.spring.SluiceSettings;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;

/** Makes the blocking clients carry the tag, whether Boot or the application makes them. */
@AutoConfiguration(after = SluiceAutoConfiguration.class)
public class SluiceClientAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RestClient.class)
    static class Beans {
        @Bean
        static TaggedClients sluiceTaggedClients(
                ObjectProvider<SluiceSettings> settings, ObjectProvider<RuleSource> rules) {
            return new TaggedClients(new TagInterceptor(new Outgoing(settings, rules)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RestClientCustomizer.class)
    static class BootsOwn {
        private final TagInterceptor interceptor;

        BootsOwn(ObjectProvider<SluiceSettings> settings, ObjectProvider<RuleSource> rules) {
            this.interceptor = new TagInterceptor(new Outgoing(settings, rules));
        }

        @Bean
        RestClientCustomizer sluiceRestClientCustomizer() {
            return builder -> builder.requestInterceptors(interceptor::addTo);
        }

        @Bean
        RestTemplateCustomizer sluiceRestTemplateCustomizer() {
            return template -> interceptor.addTo(template.getInterceptors());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RequestInterceptor.class)
    static class Feign {
        @Bean
        FeignTagInterceptor sluiceFeignTagInterceptor(
                ObjectProvider<SluiceSettings> settings, ObjectProvider<RuleSource> rules) {
            return new FeignTagInterceptor(new Outgoing(settings, rules));
        }
    }
}
