package io.sluice.spring.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.core.decision.Lane;
import io.sluice.core.identity.Identity;
import io.sluice.core.identity.RequestView;
import io.sluice.core.observation.Tally;
import io.sluice.core.propagation.Scope;
import io.sluice.core.propagation.StrictTagStorage;
import io.sluice.core.propagation.TagContext;
import io.sluice.core.rule.RuleSet;
import io.sluice.spring.TestRules;
import io.sluice.testing.Requirement;
import io.sluice.wire.remote.LastGoodFile;
import io.sluice.wire.remote.RemoteRuleSource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole way over real HTTP: a gateway, then order, then inventory, with every client in between. */
class ShopTest {
    private static final int THREADS = 64;
    private static final int REQUESTS = 3200;
    private static final List<String> CLIENTS = List.of("feign", "template", "client");
    private static final StrictTagStorage STORAGE = new StrictTagStorage();

    private static Scope strict;
    private static Shop shop;
    private static HttpClient browser;

    @BeforeAll
    static void open() {
        strict = TagContext.use(STORAGE);
        shop = Shop.open();
        browser = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    @AfterAll
    static void close() {
        shop.close();
        STORAGE.assertNoLeaks();
        strict.close();
    }

    @BeforeEach
    void onlyTheAllowlistIsOnCanary() {
        shop.publish(TestRules.live(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"feign", "template", "client"})
    @Requirement({"E1", "E3", "E5", "L6"})
    void aCanaryCustomerStaysOnCanary(String client) throws Exception {
        for (int i = 0; i < 4; i++) {
            assertThat(order(client, "X-User-Id", TestRules.VIP).body())
                    .isEqualTo("order/v2/vip-1/canary inventory/v2/vip-1/canary");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"feign", "template", "client"})
    @Requirement({"E1", "E3", "E5", "L6"})
    void aStableCustomerStaysStable(String client) throws Exception {
        for (int i = 0; i < 4; i++) {
            assertThat(order(client, "X-User-Id", "7").body())
                    .isEqualTo("order/stable/7/stable inventory/stable/7/stable");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"feign", "template", "client"})
    void anAbortTurnsRequestsUnderWayStableAtTheNextHop(String client) throws Exception {
        shop.publishTo("order", TestRules.aborted());

        assertThat(order(client, "X-User-Id", TestRules.VIP).body())
                .isEqualTo("order/v2/vip-1/canary inventory/stable/vip-1/stable");

        shop.publish(TestRules.aborted());

        assertThat(order(client, "X-User-Id", TestRules.VIP).body())
                .isEqualTo("order/stable/vip-1/stable inventory/stable/vip-1/stable");
    }

    /** Rules are given again and again meanwhile, and the gateway starts anew by its file, without a server to ask. */
    @Test
    @Requirement("L13")
    void afterAnAbortThePreviewHeaderLeadsToStableSteadily(@TempDir Path disk) throws Exception {
        shop.publish(TestRules.withPreview(TestRules.live(0)));
        assertThat(order("feign", TestRules.PREVIEW, "v2").body())
                .contains("order/v2/")
                .contains("inventory/v2/");
        RuleSet aborted = shop.publish(TestRules.withPreview(TestRules.aborted()));
        List<HttpResponse<String>> answers = new ArrayList<>();

        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < 100; i++) {
                answers.add(order(CLIENTS.get(i % CLIENTS.size()), TestRules.PREVIEW, "v2", "X-User-Id", "user-" + i));
            }
            shop.publish(aborted);
            if (round == 4) {
                LastGoodFile.in(disk, "gateway").save(aborted);
                shop.restartGateway(RemoteRuleSource.builder(URI.create("http://127.0.0.1:1"))
                        .lastGood(disk, "gateway")
                        .start());
            }
        }
        shop.restartGateway(TestRules.holding(aborted));

        assertThat(answers)
                .hasSize(1000)
                .allSatisfy(answer -> assertThat(answer.body())
                        .startsWith("order/stable/")
                        .contains("inventory/stable/")
                        .doesNotContain("canary"));
    }

    static Stream<Arguments> forgeries() {
        String tag = "uid=vip-1;version=v2;release=release-1";
        return Stream.of(
                Arguments.of("tag", new String[] {"X-Gray-Tag", tag}),
                Arguments.of("lower case", new String[] {"x-gray-tag", tag}),
                Arguments.of("underscore", new String[] {"X_GRAY_TAG", tag}),
                Arguments.of("doubled", new String[] {"X-Gray-Tag", tag, "x-gray-tag", tag}),
                Arguments.of("bad escapes", new String[] {"X-Gray-Tag", "version=%zz;release=release-1"}),
                Arguments.of("claimed address", new String[] {"X-Gray-Tag", tag, "X-Forwarded-For", "127.0.0.1"}),
                Arguments.of("baggage", new String[] {"baggage", "x-gray-tag=" + tag + ",x-deploy-channel-type=v2"}));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("forgeries")
    @Requirement({"E2", "F52"})
    void aForgedTagChangesNothing(String name, String[] forged) throws Exception {
        String[] headers =
                Stream.concat(Stream.of("X-User-Id", "7"), Stream.of(forged)).toArray(String[]::new);

        HttpResponse<String> response = order("feign", headers);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("order/stable/7/stable inventory/stable/7/stable");
    }

    @ParameterizedTest
    @ValueSource(strings = {"order", "inventory"})
    @Requirement("E2")
    void whomANeighbourForwardsForDoesNotMakeItAStranger(String service) throws Exception {
        URI past = URI.create(shop.addressOf(service, "stable") + "/stock");

        HttpResponse<String> response =
                get(past, "X-Gray-Tag", "uid=7;version=stable", "X-Forwarded-For", "203.0.113.9");

        assertThat(response.body()).isEqualTo(service + "/stable/7/stable");
    }

    @Test
    @Requirement({"E5", "F50"})
    void whereOnlySomeOtherVersionIsLeftTheRequestFailsFast() throws Exception {
        assertThat(get("/old").statusCode()).isEqualTo(503);
        assertThat(order("old").statusCode()).isEqualTo(500);
        assertThat(shop.metersOf("gateway", "stable")
                        .get("sluice.routing")
                        .tags("service", "old", "rung", "none")
                        .counter()
                        .count())
                .isPositive();
    }

    @Test
    @Requirement("E3")
    void anAsynchronousRequestIsObservedOnce() throws Exception {
        assertThat(get("/orders/later", "X-User-Id", TestRules.VIP).statusCode())
                .isEqualTo(200);

        // The end of a request is noted after its answer has gone.
        await().untilAsserted(() ->
                assertThat(observed("order/v2").get(Lane.CANARY).count()).isPositive());
        assertThat(observed("order/v2").get(Lane.CANARY).count()).isEqualTo(1);
        assertThat(observed("order/v2").get(Lane.CANARY).failed()).isZero();
    }

    @Test
    void probesAreNotObserved() throws Exception {
        String instance = shop.addressOf("order", "stable");

        assertThat(get(URI.create(instance + "/actuator/health")).statusCode()).isEqualTo(200);
        assertThat(get(URI.create(instance + "/stock")).statusCode()).isEqualTo(200);

        await().untilAsserted(() ->
                assertThat(observed("order/stable").get(Lane.STABLE).count()).isPositive());
        assertThat(observed("order/stable").get(Lane.STABLE).count()).isEqualTo(1);
    }

    @Test
    @Requirement({"E3", "F14"})
    void underMixedLoadNobodyEverWearsTheTagOfAnother() throws Exception {
        RuleSet rules = shop.publish(TestRules.live(50));

        List<Sent> sent = sendFrom(THREADS, REQUESTS);

        assertThat(sent).hasSize(REQUESTS).allSatisfy(request -> request.verify(rules));
        long broken = sent.stream().filter(Sent::isBroken).count();
        long canary = sent.stream()
                .filter(request -> request.lane(rules) == Lane.CANARY)
                .count();
        await().untilAsserted(() -> {
            Map<Lane, Tally> edge = observed("gateway/stable");
            assertThat(edge.get(Lane.CANARY).count()).isEqualTo(canary);
            assertThat(edge.get(Lane.STABLE).count()).isEqualTo(REQUESTS - canary);
            assertThat(edge.get(Lane.CANARY).failed() + edge.get(Lane.STABLE).failed())
                    .isEqualTo(broken);
            assertThat(observed("order/v2").get(Lane.CANARY).count()).isEqualTo(canary);
            assertThat(observed("order/stable").get(Lane.STABLE).count()).isEqualTo(REQUESTS - canary);
        });
    }

    private static Map<Lane, Tally> observed(String instance) {
        String[] serviceAndVersion = instance.split("/");
        return shop.observedBy(serviceAndVersion[0], serviceAndVersion[1]);
    }

    private static List<Sent> sendFrom(int threads, int requests) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Sent>> calls = new ArrayList<>();
            for (int i = 0; i < requests; i++) {
                String customer = "customer-" + i;
                String client = i % 5 == 4 ? "broken" : CLIENTS.get(i % 3);
                calls.add(() -> new Sent(customer, client, order(client, "X-User-Id", customer)));
            }
            List<Sent> sent = new ArrayList<>();
            for (Future<Sent> call : pool.invokeAll(calls)) {
                sent.add(call.get());
            }
            return sent;
        } finally {
            pool.shutdownNow();
        }
    }

    private static HttpResponse<String> order(String client, String... headers)
            throws IOException, InterruptedException {
        return get("/orders?by=" + client, headers);
    }

    private static HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        return get(URI.create(shop.address() + path), headers);
    }

    private static HttpResponse<String> get(URI address, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return browser.send(request.build(), BodyHandlers.ofString());
    }

    /** A request of the load, and its answer. */
    private record Sent(String customer, String client, HttpResponse<String> response) {
        boolean isBroken() {
            return client.equals("broken");
        }

        Lane lane(RuleSet rules) {
            boolean canary = rules.releases()
                    .get(0)
                    .decide(RequestView.empty(), Identity.ofCustomer(customer))
                    .isCanary();
            return canary ? Lane.CANARY : Lane.STABLE;
        }

        void verify(RuleSet rules) {
            if (isBroken()) {
                assertThat(response.statusCode()).isEqualTo(500);
                return;
            }
            String at = lane(rules) == Lane.CANARY ? "/v2/" + customer + "/canary" : "/stable/" + customer + "/stable";
            assertThat(response.body()).isEqualTo("order" + at + " inventory" + at);
        }
    }
}
