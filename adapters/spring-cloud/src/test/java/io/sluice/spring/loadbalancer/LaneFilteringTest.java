package io.sluice.spring.loadbalancer;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.propagation.Scope;
import io.sluice.core.propagation.TagCarrier;
import io.sluice.core.propagation.TagContext;
import io.sluice.core.routing.Rung;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TrafficTag;
import io.sluice.spring.HttpHeadersCarrier;
import io.sluice.spring.RecordingMeters;
import io.sluice.spring.SluiceSettings;
import io.sluice.spring.TestChannels;
import io.sluice.spring.TestRules;
import io.sluice.spring.TestSettings;
import io.sluice.spring.report.SluiceMeters;
import io.sluice.testing.Requirement;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cloud.client.CommonsClientAutoConfiguration;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.composite.CompositeDiscoveryClientAutoConfiguration;
import org.springframework.cloud.client.discovery.simple.SimpleDiscoveryClientAutoConfiguration;
import org.springframework.cloud.client.loadbalancer.DefaultRequest;
import org.springframework.cloud.client.loadbalancer.DefaultResponse;
import org.springframework.cloud.client.loadbalancer.LoadBalancerClient;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.RequestData;
import org.springframework.cloud.client.loadbalancer.RequestDataContext;
import org.springframework.cloud.client.loadbalancer.RetryableRequestContext;
import org.springframework.cloud.client.loadbalancer.reactive.ReactiveLoadBalancer;
import org.springframework.cloud.commons.util.UtilAutoConfiguration;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.cloud.loadbalancer.config.BlockingLoadBalancerClientAutoConfiguration;
import org.springframework.cloud.loadbalancer.config.LoadBalancerAutoConfiguration;
import org.springframework.cloud.loadbalancer.config.LoadBalancerCacheAutoConfiguration;
import org.springframework.cloud.loadbalancer.core.DelegatingServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Through the client contexts that Spring itself makes, with instances from its simple discovery client. */
class LaneFilteringTest {
    private final InMemoryRuleSource rules = TestRules.holding(TestRules.live(0));
    private final RecordingMeters meters = new RecordingMeters();
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    UtilAutoConfiguration.class,
                    CommonsClientAutoConfiguration.class,
                    SimpleDiscoveryClientAutoConfiguration.class,
                    CompositeDiscoveryClientAutoConfiguration.class,
                    LoadBalancerCacheAutoConfiguration.class,
                    LoadBalancerAutoConfiguration.class,
                    BlockingLoadBalancerClientAutoConfiguration.class,
                    SluiceLoadBalancerAutoConfiguration.class))
            .withBean(RuleSource.class, () -> rules)
            .withBean(SluiceSettings.class, () -> TestSettings.of("gateway", "stable", null))
            .withBean(SluiceMeters.class, () -> meters);

    @ParameterizedTest(name = "{0} tag, instances {1}: {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "canary  | stable v2 v2   | v2         | WANTED",
                "canary  | stable - v2    | v2         | WANTED",
                "canary  | stable -       | - stable   | FALLBACK_STABLE",
                "canary  | stable v1 v3   | stable     | FALLBACK_STABLE",
                "canary  | v1 v3          |            | NONE",
                "canary  |                |            | NONE",
                "stable  | stable - v2    | - stable   | WANTED",
                "stable  | v2 v2          |            | NONE",
                "stable  | v1             |            | NONE",
                "stable  |                |            | NONE",
                "no      | stable v2      | stable     | WANTED",
                "no      | v2             |            | NONE",
                "doubled | stable v2      | stable     | WANTED",
                "foreign | stable v2 v9   | stable     | WANTED",
                "other   | stable v2 v9   | stable     | WANTED",
            })
    @Requirement({"E5", "F50"})
    void theLadderDecidesWhoServes(String tag, String instances, String serving, Rung rung) {
        application.withPropertyValues(instances("order", instances)).run(context -> {
            Request<RequestDataContext> request = requestWearing(tag);

            assertThat(chosenByReactor(context, "order", request)).isEqualTo(words(serving));
            assertThat(chosenBlocking(context, "order", request)).isEqualTo(words(serving));
            assertThat(meters.events()).isNotEmpty().containsOnly("order " + rung);
        });
    }

    @Test
    @Requirement("E5")
    void aServiceThatNoReleaseCoversIsServedByItsStableInstances() {
        application.withPropertyValues(instances("user", "stable v2")).run(context -> {
            assertThat(chosenByReactor(context, "user", requestWearing("canary")))
                    .containsExactly("stable");
        });
    }

    @Test
    void anAbortHoldsForTheNextChoice() {
        application.withPropertyValues(instances("order", "stable v2")).run(context -> {
            assertThat(chosenByReactor(context, "order", requestWearing("canary")))
                    .containsExactly("v2");

            rules.offer(TestRules.aborted());

            assertThat(chosenByReactor(context, "order", requestWearing("canary")))
                    .containsExactly("stable");
        });
    }

    @Test
    @SuppressWarnings("try")
    void withoutTheRequestTheCurrentTagIsAsked() {
        application.withPropertyValues(instances("order", "stable v2")).run(context -> {
            LoadBalancerClient client = context.getBean(LoadBalancerClient.class);

            try (Scope scope = TagContext.with(TestRules.canaryTag("7"))) {
                assertThat(versionOf(client.choose("order"))).isEqualTo("v2");
            }
            assertThat(versionOf(client.choose("order"))).isEqualTo("stable");
        });
    }

    @ParameterizedTest(name = "cache enabled: {0}")
    @ValueSource(booleans = {true, false})
    @Requirement("L9")
    void requestsOfDifferentLanesWithinTheLifeOfTheCacheReachDifferentInstances(boolean cache) {
        application
                .withPropertyValues(instances("order", "stable v2"))
                .withPropertyValues("spring.cloud.loadbalancer.cache.enabled=" + cache)
                .run(context -> {
                    for (int i = 0; i < 5; i++) {
                        assertThat(chosenByReactor(context, "order", requestWearing("canary")))
                                .containsExactly("v2");
                        assertThat(chosenByReactor(context, "order", requestWearing("stable")))
                                .containsExactly("stable");
                    }
                });
    }

    @Test
    @Requirement("L9")
    void aCacheOverASupplierOfTheApplicationsOwnHoldsAllInstances() {
        AtomicInteger reads = new AtomicInteger();
        application
                .withPropertyValues("spring.cloud.loadbalancer.retry.enabled=false")
                .withBean(AtomicInteger.class, () -> reads)
                .withUserConfiguration(OwnSupplier.class)
                .run(context -> {
                    assertThat(chosenByReactor(context, "order", requestWearing("stable")))
                            .containsExactly("stable");
                    assertThat(chosenByReactor(context, "order", requestWearing("canary")))
                            .containsExactly("v2");
                    assertThat(reads).hasValue(1);
                });
    }

    @Test
    @Requirement("E5")
    void aRetryAvoidsTheInstanceThatFailedAmongTheEligibleOnesOnly() {
        application
                .withPropertyValues(instances("order", "stable v2 v2"))
                .withPropertyValues("spring.cloud.loadbalancer.retry.enabled=true")
                .run(context -> {
                    ServiceInstanceListSupplier supplier = supplierOf(context, "order");
                    List<ServiceInstance> canaries = eligible(supplier, requestWearing("canary"));
                    ServiceInstance onlyStable =
                            eligible(supplier, requestWearing("stable")).get(0);

                    assertThat(eligible(supplier, retryAfter(canaries.get(0), TestRules.canaryTag("7"))))
                            .containsExactly(canaries.get(1));
                    assertThat(eligible(supplier, retryAfter(onlyStable, TestRules.stableTag("7"))))
                            .containsExactly(onlyStable);
                    assertThat(meters.events()).hasSize(4).containsOnly("order WANTED");
                });
    }

    @ParameterizedTest(name = "{0}, instances {1}: {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "blue  | blue blue green stable | blue  | WANTED",
                "green | blue blue green stable | green | WANTED",
                "green | blue blue stable       |       | NONE",
                "green |                        |       | NONE",
                "blue  | red                    |       | NONE",
            })
    @Requirement({"E7", "F50"})
    void aColorIsServedByItsOwnSideOrByNobody(String color, String instances, String serving, Rung rung) {
        rules.offer(TestChannels.trade(2, 50));
        application.withPropertyValues(colors("order", instances)).run(context -> {
            Request<RequestDataContext> request = requestOf(Color.parse(color));

            assertThat(chosenByReactor(context, "order", request)).isEqualTo(words(serving));
            assertThat(chosenBlocking(context, "order", request)).isEqualTo(words(serving));
            assertThat(meters.events()).isNotEmpty().containsOnly("order " + rung);
        });
    }

    @Test
    @Requirement({"E7", "E5"})
    void outsideAReleaseBothColorsServeAndNeitherIsACanary() {
        rules.offer(TestChannels.resting(2));
        application.withPropertyValues(colors("order", "blue green")).run(context -> {
            assertThat(chosenByReactor(context, "order", requestOf(Color.BLUE))).containsExactly("blue", "green");
            assertThat(chosenByReactor(context, "order", requestWearing("canary")))
                    .containsExactly("blue", "green");
        });
    }

    @ParameterizedTest(name = "cache enabled: {0}")
    @ValueSource(booleans = {true, false})
    @Requirement({"L9", "E7"})
    void requestsOfDifferentColorsWithinTheLifeOfTheCacheReachDifferentInstances(boolean cache) {
        rules.offer(TestChannels.trade(2, 50));
        application
                .withPropertyValues(colors("order", "blue green"))
                .withPropertyValues("spring.cloud.loadbalancer.cache.enabled=" + cache)
                .run(context -> {
                    for (int i = 0; i < 5; i++) {
                        assertThat(chosenByReactor(context, "order", requestOf(Color.BLUE)))
                                .containsExactly("blue");
                        assertThat(chosenByReactor(context, "order", requestOf(Color.GREEN)))
                                .containsExactly("green");
                    }
                });
    }

    @ParameterizedTest(name = "{0} % blue, customers: {1}")
    @CsvSource({"1, true", "5, true", "25, true", "50, true", "99, true", "5, false", "50, false"})
    @Requirement({"F3", "F1"})
    @SuppressWarnings("try")
    void eachColorGetsTheShareThatIsAskedWhateverItsNumberOfInstances(int blue, boolean customers) {
        int requests = 20_000;
        rules.offer(TestChannels.trade(2, blue));
        application.withPropertyValues(colors("order", "blue blue blue green")).run(context -> {
            LoadBalancerClient client = context.getBean(LoadBalancerClient.class);
            Map<String, Integer> chosen = new TreeMap<>();

            for (int i = 0; i < requests; i++) {
                try (Scope scope = TagContext.with(TestRules.stableTag(customers ? "customer-" + i : ""))) {
                    chosen.merge(client.choose("order").getUri().toString(), 1, Integer::sum);
                }
            }

            int green = chosen.remove("http://10.0.0.3:80");
            double points = 100.0 * (requests - green) / requests - blue;
            // Customers are placed by their hash, so that is the same in every run; chance gets five sigma.
            double sigma = 100 * Math.sqrt(blue / 100.0 * (1 - blue / 100.0) / requests);
            assertThat(points).isBetween(-5 * sigma, 5 * sigma);
            // Among the instances of a color, the framework's own turns.
            int each = (requests - green) / 3;
            assertThat(chosen.values()).hasSize(3).allMatch(number -> Math.abs(number - each) <= 1);
        });
    }

    @Test
    void anInstanceThatARollingReleaseHasTakenOutGetsNothingNew() {
        rules.offer(TestChannels.resting(2, "order@10.0.0.0:80"));
        application.withPropertyValues(colors("order", "blue green")).run(context -> {
            assertThat(chosenByReactor(context, "order", requestWearing("no"))).containsExactly("green");
        });
    }

    @ParameterizedTest(name = "retried by a gateway: {0}")
    @ValueSource(booleans = {true, false})
    @Requirement("E5")
    void aRetryOfTheOnlyCanaryGoesToStableAndOneOfTheOnlyStableComesBack(boolean byGateway) {
        application
                .withPropertyValues(instances("order", "stable v2"))
                .withPropertyValues("spring.cloud.loadbalancer.retry.enabled=true")
                .run(context -> {
                    ServiceInstanceListSupplier supplier = supplierOf(context, "order");
                    ServiceInstance canary =
                            eligible(supplier, requestWearing("canary")).get(0);
                    ServiceInstance stable =
                            eligible(supplier, requestWearing("stable")).get(0);

                    assertThat(eligible(supplier, retry(byGateway, canary, TestRules.canaryTag("7"))))
                            .containsExactly(stable);
                    assertThat(eligible(supplier, retry(byGateway, stable, TestRules.stableTag("7"))))
                            .containsExactly(stable);
                });
    }

    private static Request<?> retry(boolean byGateway, ServiceInstance failed, TrafficTag tag) {
        if (!byGateway) {
            return retryAfter(failed, tag);
        }
        HttpHeaders headers = new HttpHeaders();
        headers.set(TagCodec.HEADER, TagCodec.format(tag));
        Map<String, Object> attributes =
                Map.of(ServerWebExchangeUtils.GATEWAY_LOADBALANCER_RESPONSE_ATTR, new DefaultResponse(failed));
        URI address = URI.create("http://order/");
        return new DefaultRequest<>(
                new RequestDataContext(new RequestData(HttpMethod.GET, address, headers, null, attributes)));
    }

    private static String[] colors(String service, String colors) {
        List<String> properties = new ArrayList<>();
        String prefix = "spring.cloud.discovery.client.simple.instances." + service;
        List<String> each = colors == null ? List.of() : Arrays.asList(colors.split(" "));
        for (int i = 0; i < each.size(); i++) {
            properties.add(prefix + "[" + i + "].uri=http://10.0.0." + i + ":80");
            properties.add(
                    prefix + "[" + i + "].metadata.version=" + (each.get(i).equals("stable") ? "stable" : "v2"));
            properties.add(prefix + "[" + i + "].metadata.color=" + each.get(i));
        }
        return properties.toArray(String[]::new);
    }

    private static Request<RequestDataContext> requestOf(Color color) {
        HttpHeaders headers = new HttpHeaders();
        TagCarrier.inject(TestChannels.tag("", color), headers, HttpHeadersCarrier.SETTER);
        return new DefaultRequest<>(new RequestDataContext(dataWith(headers)));
    }

    private static String[] instances(String service, String versions) {
        List<String> properties = new ArrayList<>();
        String prefix = "spring.cloud.discovery.client.simple.instances." + service;
        List<String> each = versions == null ? List.of() : Arrays.asList(versions.split(" "));
        for (int i = 0; i < each.size(); i++) {
            properties.add(prefix + "[" + i + "].uri=http://10.0.0." + i + ":80");
            properties.add(
                    prefix + "[" + i + "].metadata.version=" + (each.get(i).equals("-") ? "" : each.get(i)));
        }
        return properties.toArray(String[]::new);
    }

    private static Set<String> words(String text) {
        return text == null ? Set.of() : new TreeSet<>(Arrays.asList(text.split(" ")));
    }

    private static Request<RequestDataContext> requestWearing(String tag) {
        HttpHeaders headers = new HttpHeaders();
        switch (tag) {
            case "canary" -> headers.set(TagCodec.HEADER, TagCodec.format(TestRules.canaryTag("7")));
            case "stable" -> headers.set(TagCodec.HEADER, TagCodec.format(TestRules.stableTag("7")));
            case "doubled" -> {
                headers.add(TagCodec.HEADER, TagCodec.format(TestRules.canaryTag("7")));
                headers.add("x-gray-tag", TagCodec.format(TestRules.canaryTag("7")));
            }
            case "foreign" -> headers.set(TagCodec.HEADER, "version=v2;release=theirs");
            case "other" -> headers.set(TagCodec.HEADER, "version=v9;release=" + TestRules.RELEASE);
            default -> assertThat(tag).isEqualTo("no");
        }
        return new DefaultRequest<>(new RequestDataContext(dataWith(headers)));
    }

    private static Request<RetryableRequestContext> retryAfter(ServiceInstance failed, TrafficTag tag) {
        HttpHeaders headers = new HttpHeaders();
        headers.set(TagCodec.HEADER, TagCodec.format(tag));
        return new DefaultRequest<>(new RetryableRequestContext(failed, dataWith(headers)));
    }

    private static RequestData dataWith(HttpHeaders headers) {
        return new RequestData(HttpMethod.GET, URI.create("http://order/"), headers, null, null);
    }

    /** The versions that served one of several requests. */
    private static Set<String> chosenByReactor(
            AssertableApplicationContext context, String service, Request<?> request) {
        ReactiveLoadBalancer<ServiceInstance> balancer =
                context.getBean(LoadBalancerClientFactory.class).getInstance(service);
        Set<String> versions = new TreeSet<>();
        for (int i = 0; i < 4; i++) {
            var response = Mono.from(balancer.choose(request)).block();
            if (response.hasServer()) {
                versions.add(versionOf(response.getServer()));
            }
        }
        return versions;
    }

    private static Set<String> chosenBlocking(
            AssertableApplicationContext context, String service, Request<?> request) {
        LoadBalancerClient client = context.getBean(LoadBalancerClient.class);
        Set<String> versions = new TreeSet<>();
        for (int i = 0; i < 4; i++) {
            ServiceInstance instance = client.choose(service, request);
            if (instance != null) {
                versions.add(versionOf(instance));
            }
        }
        return versions;
    }

    private static ServiceInstanceListSupplier supplierOf(AssertableApplicationContext context, String service) {
        return context.getBean(LoadBalancerClientFactory.class).getInstance(service, ServiceInstanceListSupplier.class);
    }

    private static List<ServiceInstance> eligible(ServiceInstanceListSupplier supplier, Request<?> request) {
        return supplier.get(request).blockFirst();
    }

    private static String versionOf(ServiceInstance instance) {
        String color = instance.getMetadata().get("color");
        if (color != null) {
            return color;
        }
        String version = instance.getMetadata().get("version");
        return version.isEmpty() ? "-" : version;
    }

    /** An application with two suppliers, one caching the other. */
    @org.springframework.cloud.loadbalancer.annotation.LoadBalancerClient(
            name = "order",
            configuration = OwnSupplier.Clients.class)
    static class OwnSupplier {
        static class Clients {
            @Bean
            ServiceInstanceListSupplier all(AtomicInteger reads) {
                return new ServiceInstanceListSupplier() {
                    @Override
                    public String getServiceId() {
                        return "order";
                    }

                    @Override
                    public Flux<List<ServiceInstance>> get() {
                        return Flux.defer(() -> {
                            reads.incrementAndGet();
                            return Flux.just(List.of(instance("stable"), instance("v2")));
                        });
                    }
                };
            }

            @Bean
            @Primary
            ServiceInstanceListSupplier cached(ServiceInstanceListSupplier all) {
                Flux<List<ServiceInstance>> cache = all.get().cache();
                return new DelegatingServiceInstanceListSupplier(all) {
                    @Override
                    public Flux<List<ServiceInstance>> get() {
                        return cache;
                    }
                };
            }

            private static ServiceInstance instance(String version) {
                var instance = new DefaultServiceInstance(version, "order", "10.0.0.1", 80, false);
                instance.getMetadata().put("version", version);
                return instance;
            }
        }
    }
}
