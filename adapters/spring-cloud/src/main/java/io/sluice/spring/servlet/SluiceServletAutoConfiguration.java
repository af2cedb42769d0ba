package io.sluice.spring.servlet;

import io.sluice.core.observation.ObservationSink;
import io.sluice.core.observation.ServedRequests;
import io.sluice.spring.SluiceAutoConfiguration;
import io.sluice.spring.SluiceSettings;
import io.sluice.spring.TrustedPeers;
import io.sluice.spring.report.SluiceMeters;
import io.sluice.spring.report.SluiceReportAutoConfiguration;
import io.sluice.spring.report.Standing;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.catalina.valves.ValveBase;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.filter.OncePerRequestFilter;

/** Makes a servlet application a service behind the edge. It believes loopback and private addresses unless told. */
@AutoConfiguration(after = {SluiceAutoConfiguration.class, SluiceReportAutoConfiguration.class})
@ConditionalOnClass({FilterRegistrationBean.class, OncePerRequestFilter.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
public class SluiceServletAutoConfiguration {

    /** First of all filters, so that the tag is there for every other one and its time is part of the request's. */
    @Bean
    FilterRegistrationBean<TagFilter> sluiceTagFilter(
            SluiceSettings settings,
            Standing standing,
            ObservationSink observations,
            ServedRequests served,
            SluiceMeters meters,
            @Value("${management.endpoints.web.base-path:/actuator}") String actuator) {
        TagFilter filter = new TagFilter(
                settings.trustedUpstreams(TrustedPeers.privateRanges()),
                settings,
                standing,
                observations,
                served,
                meters,
                outside(withActuator(settings.healthChecks(), actuator)));
        FilterRegistrationBean<TagFilter> registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
        registration.setAsyncSupported(true);
        return registration;
    }

    private static List<String> withActuator(List<String> healthChecks, String actuator) {
        boolean hasPath = !actuator.isEmpty() && !actuator.equals("/");
        return hasPath
                ? Stream.concat(healthChecks.stream(), Stream.of(actuator)).toList()
                : healthChecks;
    }

    /** Requests that are not for these paths: probes and scrapes say nothing of a release, and never fall silent. */
    static Predicate<HttpServletRequest> outside(List<String> paths) {
        if (paths.isEmpty()) {
            return request -> true;
        }
        return request -> {
            // As the container mapped it, so that no other spelling of a path escapes being observed.
            String path = request.getPathInfo() == null ? request.getServletPath() : request.getPathInfo();
            return paths.stream().noneMatch(probed -> path.equals(probed) || path.startsWith(probed + "/"));
        };
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ConfigurableTomcatWebServerFactory.class, ValveBase.class})
    static class Tomcat {
        @Bean
        WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> sluicePeerValve() {
            return factory -> factory.addEngineValves(new PeerValve());
        }
    }
}
