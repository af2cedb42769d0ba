package io.sluice.spring.client;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** Makes RestTemplates and RestClients carry the tag that are beans of the application's own making. */
final class TaggedClients implements BeanPostProcessor {
    private final TagInterceptor interceptor;

    TaggedClients(TagInterceptor interceptor) {
        this.interceptor = interceptor;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof RestTemplate template) {
            interceptor.addTo(template.getInterceptors());
        } else if (bean instanceof RestClient.Builder builder) {
            builder.requestInterceptors(interceptor::addTo);
        }
        return bean;
    }
}
