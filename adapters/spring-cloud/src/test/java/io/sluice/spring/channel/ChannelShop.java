package io.sluice.spring.channel;

import io.sluice.core.observation.ServedRequests;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.tag.Color;
import io.sluice.spring.InstanceName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.apache.curator.test.TestingServer;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.web.client.RestTemplate;

/**
 * A gateway before order, inventory and coupon, each with a blue and a green instance, all in a ZooKeeper. Beside them
 * stand callers that have nothing of ours.
 */
final class ChannelShop implements AutoCloseable {
    static final List<String> SERVICES = List.of("inventory", "coupon", "order");

    private final TestingServer zookeeper;
    private final Deque<ConfigurableApplicationContext> running = new ArrayDeque<>();
    private final Map<String, ConfigurableApplicationContext> byName = new LinkedHashMap<>();
    private final Map<String, InMemoryRuleSource> rules = new LinkedHashMap<>();
    private long revision;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Plain {
        @Bean
        @LoadBalanced
        RestTemplate template() {
            return new RestTemplate();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Gateway {}

    private ChannelShop() throws Exception {
        zookeeper = new TestingServer();
        for (String service : SERVICES) {
            start(service, "blue");
            start(service, "green");
        }
        start("gateway", Gateway.class, WebApplicationType.REACTIVE, rulesOf("gateway"), gateway());
    }

    static ChannelShop open() throws Exception {
        return new ChannelShop();
    }

    /** Starts an instance; a second one of a service's color is not known by that name. */
    ConfigurableApplicationContext start(String service, String color) {
        return start(service, color, rulesOf(service + "/" + color + "/" + rules.size()));
    }

    ConfigurableApplicationContext start(String service, String color, Function<Environment, RuleSource> source) {
        return start(
                service + "/" + color,
                TracingService.class,
                WebApplicationType.SERVLET,
                source,
                List.of("spring.application.name=" + service, "sluice.color=" + color));
    }

    /** Starts a caller that has nothing of ours, and keeps lists of instances for so long. */
    RestTemplate startPlainCaller(String cacheTtl) {
        List<String> settings = new ArrayList<>(List.of(
                "spring.application.name=plain",
                "spring.cloud.loadbalancer.cache.enabled=" + !cacheTtl.equals("0s"),
                "spring.cloud.loadbalancer.cache.ttl=" + cacheTtl,
                "spring.cloud.zookeeper.discovery.register=false",
                "spring.autoconfigure.exclude="
                        + ImportCandidates.load(AutoConfiguration.class, null).getCandidates().stream()
                                .filter(name -> name.startsWith("io.sluice."))
                                .collect(Collectors.joining(","))));
        return start("plain/" + cacheTtl, Plain.class, WebApplicationType.NONE, nothing -> null, settings)
                .getBean(RestTemplate.class);
    }

    /** Gives every process new rules, one after the other, beginning with another one each time. */
    void publish(LongFunction<RuleSet> made) {
        RuleSet newer = made.apply(++revision);
        List<InMemoryRuleSource> all = List.copyOf(rules.values());
        for (int i = 0; i < all.size(); i++) {
            all.get((int) ((i + revision) % all.size())).offer(newer);
        }
    }

    /** Gives them to the gateway alone. */
    void publishToGateway(LongFunction<RuleSet> made) {
        Objects.requireNonNull(rules.get("gateway")).offer(made.apply(++revision));
    }

    ServedRequests servedBy(String name) {
        return process(name).getBean(ServedRequests.class);
    }

    /** How many requests came with the other color, to all instances. */
    long crossed() {
        return byName.keySet().stream()
                .filter(name -> !name.startsWith("plain"))
                .mapToLong(name -> servedBy(name).crossed())
                .sum();
    }

    /** The colors of a service's instances as its registry lists them now. */
    List<String> listed(String service) {
        return process("gateway").getBean(DiscoveryClient.class).getInstances(service).stream()
                .map(instance -> Objects.requireNonNull(instance.getMetadata()).get("color"))
                .sorted()
                .toList();
    }

    boolean isListed(Color color) {
        return List.of("order", "inventory").stream()
                .allMatch(service -> listed(service).contains(color.label()));
    }

    boolean isGone(Color color) {
        return List.of("order", "inventory").stream()
                .noneMatch(service -> listed(service).contains(color.label()));
    }

    String address(String name) {
        return "http://127.0.0.1:" + process(name).getEnvironment().getRequiredProperty("local.server.port");
    }

    String instanceName(String name) {
        return process(name).getBean(InstanceName.class).current();
    }

    void stop(ConfigurableApplicationContext process) {
        running.remove(process);
        byName.values().remove(process);
        process.close();
    }

    @Override
    public void close() throws Exception {
        running.forEach(ConfigurableApplicationContext::close);
        zookeeper.close();
    }

    private ConfigurableApplicationContext process(String name) {
        return Objects.requireNonNull(byName.get(name), name);
    }

    private static List<String> gateway() {
        return List.of(
                "spring.application.name=gateway",
                "spring.cloud.gateway.server.webflux.routes[0].id=order",
                "spring.cloud.gateway.server.webflux.routes[0].uri=lb://order",
                "spring.cloud.gateway.server.webflux.routes[0].predicates[0]=Path=/orders/**",
                "spring.cloud.zookeeper.discovery.register=false");
    }

    private Function<Environment, RuleSource> rulesOf(String process) {
        InMemoryRuleSource source = new InMemoryRuleSource();
        rules.values().stream().findFirst().ifPresent(first -> source.offer(first.current()));
        rules.put(process, source);
        return environment -> source;
    }

    private ConfigurableApplicationContext start(
            String name,
            Class<?> program,
            WebApplicationType type,
            Function<Environment, RuleSource> rulesIn,
            List<String> settings) {
        List<String> properties = new ArrayList<>(List.of(
                "server.address=127.0.0.1",
                "server.port=0",
                "spring.cloud.loadbalancer.cache.enabled=false",
                "spring.cloud.gateway.server.webflux.enabled=" + (type == WebApplicationType.REACTIVE),
                "spring.cloud.zookeeper.connect-string=" + zookeeper.getConnectString(),
                "spring.cloud.zookeeper.discovery.instance-host=127.0.0.1"));
        properties.addAll(settings);
        ConfigurableApplicationContext context = new SpringApplicationBuilder(program)
                .web(type)
                .bannerMode(Banner.Mode.OFF)
                .properties(properties.toArray(String[]::new))
                .initializers(starting -> {
                    if (type != WebApplicationType.REACTIVE) {
                        // One that stops would take the event loops of the whole JVM with it, so the gateway's too.
                        ((GenericApplicationContext) starting)
                                .registerBean(ReactorResourceFactory.class, ChannelShop::ownLoops);
                    }
                    RuleSource source = rulesIn.apply(starting.getEnvironment());
                    if (source != null) {
                        ((GenericApplicationContext) starting).registerBean(RuleSource.class, () -> source);
                    }
                })
                .run();
        running.addFirst(context);
        byName.putIfAbsent(name, context);
        return context;
    }

    private static ReactorResourceFactory ownLoops() {
        ReactorResourceFactory loops = new ReactorResourceFactory();
        loops.setUseGlobalResources(false);
        return loops;
    }
}
