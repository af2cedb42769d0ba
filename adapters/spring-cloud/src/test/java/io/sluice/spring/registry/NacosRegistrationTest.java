package io.sluice.spring.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.tag.Color;
import io.sluice.spring.TestChannels;
import io.sluice.spring.report.Presence;
import io.sluice.testing.NacosServer;
import io.sluice.testing.Requirement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/** With the registry of Spring Cloud Alibaba, at a real Nacos. */
@Requirement({"E6", "F3"})
class NacosRegistrationTest {
    private final InMemoryRuleSource rules = new InMemoryRuleSource();

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Program {}

    @Test
    void aClosedSideLeavesAndComesBackWithItsColor(@TempDir Path files) throws IOException {
        // Nacos's client keeps files of what it last knew, for a whole process.
        System.setProperty("JM.SNAPSHOT.PATH", files.resolve("client").toString());
        System.setProperty("JM.LOG.PATH", files.resolve("client").toString());
        try (NacosServer nacos = NacosServer.start(files);
                ConfigurableApplicationContext blue = start(nacos, "order", WebApplicationType.SERVLET, "blue");
                ConfigurableApplicationContext green = start(nacos, "order", WebApplicationType.SERVLET, "green");
                ConfigurableApplicationContext caller = start(nacos, "caller", WebApplicationType.NONE, "")) {
            DiscoveryClient known = caller.getBean(DiscoveryClient.class);
            await().untilAsserted(
                            () -> assertThat(colorsOfOrder(known)).containsExactlyInAnyOrder("blue/v2", "green/v2"));

            rules.offer(TestChannels.trade(1, 0, Color.BLUE));
            await().untilAsserted(() -> assertThat(colorsOfOrder(known)).containsExactly("green/v2"));
            assertThat(blue.getBean(Presence.class).isRegistered()).isFalse();
            assertThat(green.getBean(Presence.class).isRegistered()).isTrue();

            rules.offer(TestChannels.trade(2, 0));
            await().untilAsserted(
                            () -> assertThat(colorsOfOrder(known)).containsExactlyInAnyOrder("blue/v2", "green/v2"));
            assertThat(blue.getBean(Presence.class).isRegistered()).isTrue();
        }
    }

    private static List<String> colorsOfOrder(DiscoveryClient known) {
        return known.getInstances("order").stream()
                .map(ServiceInstance::getMetadata)
                .map(metadata -> metadata.get("color") + "/" + metadata.get("version"))
                .toList();
    }

    private ConfigurableApplicationContext start(
            NacosServer nacos, String service, WebApplicationType type, String color) {
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.application.name=" + service,
                "--server.port=0",
                "--spring.cloud.zookeeper.enabled=false",
                "--spring.cloud.gateway.server.webflux.enabled=false",
                "--spring.cloud.nacos.discovery.enabled=true",
                "--spring.cloud.nacos.discovery.server-addr=127.0.0.1:" + nacos.port(),
                // The client goes on trying by itself.
                "--spring.cloud.nacos.discovery.fail-fast=false",
                "--spring.cloud.nacos.discovery.ip=127.0.0.1"));
        arguments.addAll(
                color.isEmpty()
                        ? List.of("--spring.cloud.nacos.discovery.register-enabled=false")
                        : List.of("--sluice.color=" + color, "--sluice.version=v2"));
        return new SpringApplicationBuilder(Program.class)
                .web(type)
                .bannerMode(Banner.Mode.OFF)
                .initializers(
                        starting -> ((GenericApplicationContext) starting).registerBean(RuleSource.class, () -> rules))
                .run(arguments.toArray(String[]::new));
    }
}
