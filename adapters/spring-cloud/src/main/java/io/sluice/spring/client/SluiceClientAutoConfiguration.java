package io.sluice.spring.client;

import feign.RequestInterceptor;
import io.sluice.spring.InternalHosts;
import io.sluice.spring.SluiceAutoConfiguration;
import io.sluice.spring.SluiceSettings;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.client.RestClient;

/** Makes the blocking clients carry the tag, whether Boot or the application makes them. */
@AutoConfiguration(after = SluiceAutoConfiguration.class)
public class SluiceClientAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RestClient.class)
    static class Beans {
        @Bean
        static TaggedClients sluiceTaggedClients(ObjectProvider<SluiceSettings> settings) {
            return new TaggedClients(new TagInterceptor(internal(settings)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RestClientCustomizer.class)
    static class BootsOwn {
        private final TagInterceptor interceptor;

        BootsOwn(ObjectProvider<SluiceSettings> settings) {
            this.interceptor = new TagInterceptor(internal(settings));
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
        FeignTagInterceptor sluiceFeignTagInterceptor(ObjectProvider<SluiceSettings> settings) {
            return new FeignTagInterceptor(internal(settings));
        }
    }

    // Clients are made before settings may be, so they ask at their first request.
    private static Supplier<InternalHosts> internal(ObjectProvider<SluiceSettings> settings) {
        return SingletonSupplier.of(() -> {
            SluiceSettings known = settings.getIfAvailable();
            return known == null ? InternalHosts.standard() : known.internalHosts();
        });
    }
}
