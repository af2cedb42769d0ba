package io.sluice.server.edge;

import org.apache.catalina.core.StandardHost;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the valves into the container. */
@Configuration(proxyBeanMethods = false)
class Edge {
    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> valves() {
        return factory -> {
            factory.addEngineValves(new EdgeValve());
            factory.addContextCustomizers(context -> {
                if (context.getParent() instanceof StandardHost host) {
                    host.setErrorReportValveClass(ProblemValve.class.getName());
                }
            });
        };
    }
}
