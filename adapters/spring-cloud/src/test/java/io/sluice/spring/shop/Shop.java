package io.sluice.spring.shop;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.core.decision.Lane;
import io.sluice.core.observation.ObservationKey;
import io.sluice.core.observation.ObservationRecorder;
import io.sluice.core.observation.Tally;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.spring.TestRules;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/**
 * A gateway, order and inventory, each in its own application on a port of its own. Order and inventory have a stable
 * and a canary instance each, and take over forwarded addresses, in the two ways that there are; of the service {@code
 * old} only an instance of another version is left.
 */
final class Shop implements AutoCloseable {
    private final Deque<ConfigurableApplicationContext> running = new ArrayDeque<>();
    private final Map<String, InMemoryRuleSource> rules = new LinkedHashMap<>();
    private final List<String> known;
    private ConfigurableApplicationContext gateway;
    private final Map<String, Tally> observed = new HashMap<>();
    private long revision = 1;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Gateway {}

    private Shop() {
        known = new ArrayList<>(instance("old", 0, "v1", "1"));
        known.addAll(instances("inventory", "framework", known));
        known.addAll(instances("order", "native", known));
        known.addAll(route(0, "order", "/orders/**"));
        known.addAll(route(1, "old", "/old"));
        gateway = startGateway(TestRules.holding(TestRules.live(0)));
    }

    static Shop open() {
        return new Shop();
    }

    /** The gateway's address. */
    String address() {
        return "http://127.0.0.1:" + portOf(gateway);
    }

    /** Ends the gateway and starts it anew, by rules of a source of its own: what is published does not come there any more. */
    void restartGateway(RuleSource source) {
        running.remove(gateway);
        rules.remove(gateway.getId());
        gateway.close();
        gateway = startGateway(source);
    }

    private ConfigurableApplicationContext startGateway(RuleSource source) {
        return start("gateway", "stable", Gateway.class, WebApplicationType.REACTIVE, known, source);
    }

    /** The address of one instance, past the gateway. */
    String addressOf(String service, String version) {
        return "http://127.0.0.1:" + portOf(processOf(service, version));
    }

    /** Gives everybody the releases of these rules, under the next revision, which is also their step. */
    RuleSet publish(RuleSet wanted) {
        return publishTo("", wanted);
    }

    /** Gives them to the instances of one service only. */
    RuleSet publishTo(String service, RuleSet wanted) {
        long next = ++revision;
        RuleSet newer = RuleSet.of(
                1,
                next,
                wanted.releases().stream().map(rule -> atStep(next, rule)).toList());
        rules.forEach((instance, source) -> {
            if (instance.startsWith(service)) {
                source.offer(newer);
            }
        });
        return newer;
    }

    /** What one process has observed, lane by lane, since rules were last given. */
    Map<Lane, Tally> observedBy(String service, String version) {
        processOf(service, version)
                .getBean(ObservationRecorder.class)
                .drain()
                .forEach((key, tally) -> observed.merge(service + "/" + version + key, tally.requests(), Tally::merge));
        Map<Lane, Tally> byLane = new EnumMap<>(Lane.class);
        for (Lane lane : Lane.values()) {
            String key = service + "/" + version + new ObservationKey(TestRules.RELEASE, revision, lane);
            byLane.put(lane, observed.getOrDefault(key, Tally.empty()));
        }
        return byLane;
    }

    /** The meters of one process. */
    MeterRegistry metersOf(String service, String version) {
        return processOf(service, version).getBean(MeterRegistry.class);
    }

    private static ReleaseRule atStep(long step, ReleaseRule rule) {
        return new ReleaseRule(
                rule.id(), rule.version(), rule.services(), rule.split(), rule.rules(), step, rule.slowerThan());
    }

    private ConfigurableApplicationContext processOf(String service, String version) {
        return running.stream()
                .filter(context -> (service + "/" + version).equals(context.getId()))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        running.forEach(ConfigurableApplicationContext::close);
    }

    private List<String> instances(String service, String forwarded, List<String> known) {
        List<String> settings = new ArrayList<>(known);
        settings.add("server.forward-headers-strategy=" + forwarded);
        List<String> properties = new ArrayList<>();
        int number = 0;
        for (String version : List.of("stable", TestRules.VERSION)) {
            ConfigurableApplicationContext context =
                    start(service, version, OrderAndInventory.class, WebApplicationType.SERVLET, settings);
            properties.addAll(instance(service, number++, version, portOf(context)));
        }
        return properties;
    }

    private static List<String> instance(String service, int number, String version, String port) {
        String prefix = "spring.cloud.discovery.client.simple.instances." + service + "[" + number + "].";
        return List.of(prefix + "uri=http://127.0.0.1:" + port, prefix + "metadata.version=" + version);
    }

    private static List<String> route(int number, String service, String path) {
        String prefix = "spring.cloud.gateway.server.webflux.routes[" + number + "].";
        return List.of(prefix + "id=" + service, prefix + "uri=lb://" + service, prefix + "predicates[0]=Path=" + path);
    }

    private ConfigurableApplicationContext start(
            String service, String version, Class<?> program, WebApplicationType type, List<String> settings) {
        return start(service, version, program, type, settings, TestRules.holding(TestRules.live(0)));
    }

    private ConfigurableApplicationContext start(
            String service,
            String version,
            Class<?> program,
            WebApplicationType type,
            List<String> settings,
            RuleSource source) {
        if (source instanceof InMemoryRuleSource published) {
            rules.put(service + "/" + version, published);
        }
        List<String> properties = new ArrayList<>(settings);
        properties.addAll(List.of(
                "spring.application.name=" + service,
                "sluice.version=" + version,
                "server.address=127.0.0.1",
                "server.port=0",
                "spring.cloud.zookeeper.enabled=false",
                "spring.cloud.loadbalancer.retry.enabled=" + version.equals("stable"),
                "spring.cloud.gateway.server.webflux.enabled=" + (type == WebApplicationType.REACTIVE),
                "management.endpoints.web.exposure.include=health,metrics"));
        ConfigurableApplicationContext context = new SpringApplicationBuilder(program)
                .web(type)
                .bannerMode(Banner.Mode.OFF)
                .properties(properties.toArray(String[]::new))
                .initializers(
                        starting -> ((GenericApplicationContext) starting).registerBean(RuleSource.class, () -> source))
                .run();
        context.setId(service + "/" + version);
        running.addFirst(context);
        return context;
    }

    private static String portOf(ConfigurableApplicationContext context) {
        return context.getEnvironment().getRequiredProperty("local.server.port");
    }
}
