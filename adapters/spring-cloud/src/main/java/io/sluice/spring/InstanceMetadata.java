package io.sluice.spring;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Registers an instance under what its deployment says of it: {@code sluice.version}, {@code sluice.color}, {@code
 * sluice.env} and {@code sluice.deploy-time} become the metadata {@code version}, {@code color}, {@code env} and {@code
 * deploy-time} of whichever registry is in use. Metadata that the application sets itself wins.
 */
final class InstanceMetadata implements EnvironmentPostProcessor, Ordered {
    private static final List<String> FIELDS = List.of("version", "color", "env", "deploy-time");
    private static final List<String> REGISTRIES = List.of(
            "spring.cloud.zookeeper.discovery.metadata.",
            "spring.cloud.nacos.discovery.metadata.",
            "spring.cloud.consul.discovery.metadata.",
            "eureka.instance.metadata-map.");

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        Map<String, Object> metadata = new HashMap<>();
        for (String field : FIELDS) {
            String value = environment.getProperty("sluice." + field, "");
            if (!value.isEmpty()) {
                REGISTRIES.forEach(registry -> metadata.put(registry + field, value));
            }
        }
        if (!metadata.isEmpty()) {
            environment.getPropertySources().addLast(new MapPropertySource("sluiceInstanceMetadata", metadata));
        }
    }

    /** After the application's own files were read, since the version may stand there. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }
}
