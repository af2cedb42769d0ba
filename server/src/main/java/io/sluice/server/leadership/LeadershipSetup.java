package io.sluice.server.leadership;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class LeadershipSetup {
    @Bean
    Leadership leadership() {
        return Leadership.alone();
    }
}
