package io.sluice.server.deployers;

import io.sluice.core.channel.Deployer;
import java.util.SortedMap;
import java.util.TreeMap;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The deployers and the checks that the flags ask for. */
@Configuration(proxyBeanMethods = false)
class DeployersSetup {
    @Bean
    Deployers deployers() {
        SortedMap<String, Deployer> byName = new TreeMap<>();
        byName.put("manual", new ManualDeployer());
        return new Deployers(byName);
    }

    @Bean
    HttpVerification verification() {
        return new HttpVerification();
    }
}
