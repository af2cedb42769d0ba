package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

@Requirement("E6")
class InstanceMetadataTest {
    private final StandardEnvironment environment = new StandardEnvironment();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.cloud.zookeeper.discovery.metadata",
                "spring.cloud.nacos.discovery.metadata",
                "spring.cloud.consul.discovery.metadata",
                "eureka.instance.metadata-map"
            })
    void theDeploymentsWordsBecomeTheInstancesMetadata(String registry) {
        deployedWith(Map.of(
                "SLUICE_VERSION", "v2.1.0",
                "SLUICE_COLOR", "blue",
                "SLUICE_ENV", "prod",
                "SLUICE_DEPLOY_TIME", "2026-11-01T08:00:00Z"));

        assertThat(environment.getProperty(registry + ".version")).isEqualTo("v2.1.0");
        assertThat(environment.getProperty(registry + ".color")).isEqualTo("blue");
        assertThat(environment.getProperty(registry + ".env")).isEqualTo("prod");
        assertThat(environment.getProperty(registry + ".deploy-time")).isEqualTo("2026-11-01T08:00:00Z");
    }

    @Test
    void nothingIsAddedWhenNothingIsSaid() {
        deployedWith(Map.of("SLUICE_VERSION", ""));

        assertThat(environment.getPropertySources().contains("sluiceInstanceMetadata"))
                .isFalse();
    }

    @Test
    void theApplicationsOwnMetadataWins() {
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "application",
                        Map.of(
                                "sluice.version", "v2.1.0",
                                "spring.cloud.nacos.discovery.metadata.version", "mine")));

        deployedWith(Map.of());

        assertThat(environment.getProperty("spring.cloud.nacos.discovery.metadata.version"))
                .isEqualTo("mine");
        assertThat(environment.getProperty("eureka.instance.metadata-map.version"))
                .isEqualTo("v2.1.0");
    }

    private void deployedWith(Map<String, Object> variables) {
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
        new InstanceMetadata().postProcessEnvironment(environment, new SpringApplication());
    }
}
