package io.sluice.spring.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.core.propagation.Scope;
import io.sluice.core.propagation.StrictTagStorage;
import io.sluice.core.propagation.TagContext;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TagCodec;
import io.sluice.spring.TestChannels;
import io.sluice.spring.report.Presence;
import io.sluice.testing.Requirement;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.client.RestTemplate;

/** A channel's two sides over real HTTP and a real registry, from the gateway to the last hop. */
@Timeout(600)
class ChannelShopTest {
    private static final StrictTagStorage STORAGE = new StrictTagStorage();

    private static Scope strict;
    private static ChannelShop shop;
    private static HttpClient browser;

    @BeforeAll
    static void open() throws Exception {
        strict = TagContext.use(STORAGE);
        shop = ChannelShop.open();
        browser = newBrowser();
    }

    @AfterAll
    static void close() throws Exception {
        shop.close();
        STORAGE.assertNoLeaks();
        strict.close();
    }

    @BeforeEach
    void bothSidesAreThere() {
        shop.publish(revision -> TestChannels.both(revision, 50, null, 50));
        await().until(() -> shop.isListed(Color.BLUE) && shop.isListed(Color.GREEN));
    }

    @AfterEach
    void nothingCrossed() {
        assertThat(shop.crossed()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"feign", "template", "client"})
    @Requirement({"E7", "L6"})
    void aCustomerKeepsOneColorInAChannelFromTheFirstHopToTheLast(String client) throws Exception {
        Set<String> seen = new HashSet<>();
        for (int customer = 0; customer < 12; customer++) {
            Set<String> traces = new HashSet<>();
            for (int i = 0; i < 3; i++) {
                traces.add(get("gateway", "/orders?by=" + client, "X-User-Id", "customer-" + customer));
            }

            assertThat(traces).hasSize(1).allMatch(ChannelShopTest::isOfOneColor);
            seen.addAll(traces);
        }
        // Either channel decides for itself.
        assertThat(seen).hasSizeGreaterThan(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    @Requirement({"E7", "F3"})
    void allThatEntersGoesWhereTheShareSays(int blue) throws Exception {
        shop.publish(revision -> TestChannels.both(revision, blue, null, 100 - blue));
        String trade = blue == 100 ? "blue" : "green";
        String promo = blue == 100 ? "green" : "blue";

        for (int i = 0; i < 6; i++) {
            assertThat(get("gateway", "/orders?by=client"))
                    .isEqualTo("order/" + trade + " inventory/" + trade + " coupon/" + promo);
        }
    }

    @Test
    @Requirement({"E7", "E2", "F52"})
    void aColorThatIsClaimedFromOutsideChangesNothing() throws Exception {
        shop.publish(revision -> TestChannels.both(revision, 0, null, 0));

        assertThat(get(
                        "gateway",
                        "/orders?by=client",
                        TagCodec.COLORS_HEADER,
                        "trade%3Dblue",
                        "baggage",
                        "x-deploy-channel-type=trade%3Dblue%26promo%3Dblue"))
                .isEqualTo("order/green inventory/green coupon/green");
    }

    @ParameterizedTest
    @ValueSource(strings = {"blue", "green"})
    @Requirement("E7")
    void whatComesWithoutAColorHasThatOfTheInstanceItReached(String color) throws Exception {
        shop.publish(revision -> TestChannels.both(revision, color.equals("blue") ? 0 : 100, null, 100));

        assertThat(get("order/" + color, "/orders?by=feign"))
                .isEqualTo("order/" + color + " inventory/" + color + " coupon/blue");
    }

    @ParameterizedTest
    @ValueSource(strings = {"feign", "template", "client"})
    @Requirement("E7")
    void whatBeginsInAnInstanceHasItsColor(String client) throws Exception {
        shop.publish(revision -> TestChannels.both(revision, 0, null, 100));

        assertThat(get("order/blue", "/orders/job?by=" + client)).isEqualTo("order/blue inventory/blue coupon/blue");
    }

    @Test
    void outsideAReleaseColorsMayCallEachOther() throws Exception {
        shop.publish(TestChannels::resting);

        Set<String> traces = new HashSet<>();
        for (int i = 0; i < 16; i++) {
            traces.add(get("gateway", "/orders?by=client"));
        }

        assertThat(traces).anyMatch(ChannelShopTest::isOfOneColor).anyMatch(trace -> !isOfOneColor(trace));
    }

    @Test
    @Requirement({"E7", "F50"})
    void aColorThatNobodyHasIsServedByNobody() throws Exception {
        shop.publish(revision -> TestChannels.both(revision, 0, Color.BLUE, 100));
        await().until(() -> shop.isGone(Color.BLUE));
        shop.publishToGateway(revision -> TestChannels.both(revision, 100, null, 100));

        assertThat(get("gateway", "/orders?by=client")).startsWith("503");
        // Past the gateway, order is blue and finds no blue inventory.
        assertThat(get("order/blue", "/orders?by=client")).startsWith("500");
        assertThat(get("order/green", "/orders?by=client")).startsWith("order/green inventory/green");
    }

    @Test
    @Requirement({"F3", "L10"})
    void callersWithoutOurAdapterStopCallingAClosedSideOnceTheirListsAreOld() {
        RestTemplate fresh = shop.startPlainCaller("0s");
        RestTemplate caching = shop.startPlainCaller("10s");
        assertThat(colorsReachedBy(fresh)).containsExactlyInAnyOrder("blue", "green");

        shop.publish(revision -> TestChannels.trade(revision, 0));
        // Drained is not enough for them: they know no shares.
        assertThat(colorsReachedBy(fresh)).contains("blue");
        // As late as can be: while blue leaves, this list must not grow old.
        assertThat(colorsReachedBy(caching)).containsExactlyInAnyOrder("blue", "green");
        shop.publish(revision -> TestChannels.trade(revision, 0, Color.BLUE));
        await().until(() -> shop.isGone(Color.BLUE));

        assertThat(colorsReachedBy(fresh)).containsExactly("green");
        // The registry is clean, and a caller with an old list still comes: silence has to be seen.
        assertThat(colorsReachedBy(caching)).contains("blue");
        await().until(() -> colorsReachedBy(caching).equals(Set.of("green")));
        long silent = shop.servedBy("inventory/blue").begun();
        IntStream.range(0, 10).forEach(i -> colorsReachedBy(caching));
        assertThat(shop.servedBy("inventory/blue").begun()).isEqualTo(silent);
        assertThat(shop.servedBy("inventory/blue").underWay()).isZero();

        shop.publish(revision -> TestChannels.trade(revision, 0));
        await().until(() -> colorsReachedBy(fresh).size() == 2);
        await().until(() -> colorsReachedBy(caching).size() == 2);
    }

    @Test
    @Requirement("F3")
    void anInstanceThatStartsWhileItsSideIsClosedIsNotListed() {
        shop.publish(revision -> TestChannels.trade(revision, 0, Color.BLUE));
        await().until(() -> shop.isGone(Color.BLUE));
        ConfigurableApplicationContext second = shop.start("inventory", "blue");
        try {
            assertThat(shop.listed("inventory")).containsExactly("green");

            shop.publish(revision -> TestChannels.trade(revision, 0));

            await().until(() -> shop.listed("inventory").equals(List.of("blue", "blue", "green")));
        } finally {
            shop.stop(second);
        }
        await().until(() -> shop.listed("inventory").equals(List.of("blue", "green")));
    }

    @Test
    @Requirement("F3")
    void anInstanceThatARollingReleaseHoldsIsNotListedFromItsStartOn() {
        ConfigurableApplicationContext held = shop.start("coupon", "blue", HeldByName::new);
        try {
            assertThat(shop.listed("coupon")).containsExactly("blue", "green");
            assertThat(held.getBean(Presence.class).isRegistered()).isFalse();
        } finally {
            shop.stop(held);
        }
    }

    @Test
    @Requirement("F3")
    void aRollingReleaseTakesInstancesOutByName() {
        shop.publish(revision -> TestChannels.resting(revision, shop.instanceName("inventory/green")));

        await().until(() -> shop.listed("inventory").equals(List.of("blue")));
    }

    @Test
    @Requirement({"F3", "E7", "F1"})
    void aHundredSwitchesUnderLoadLoseNothingAndCrossNothing() {
        try (Load load = new Load(shop.address("gateway"), 4)) {
            int[] shares = {25, 75, 0, 50, 1, 100, 99, 10, 0, 90, 100};
            for (int i = 0; i < 100; i++) {
                int share = shares[i % shares.length];
                switchTo(load, revision -> TestChannels.both(revision, share, null, 100 - share));
                if (i % 11 == 2 || i % 11 == 5) {
                    closeAndOpen(load, share, share == 0 ? Color.BLUE : Color.GREEN);
                }
            }

            assertThat(load.wrong()).isEmpty();
            assertThat(load.answered()).isGreaterThan(800);
        }
    }

    @Test
    @Requirement({"L14", "E7"})
    void longKeptConnectionsCarryNothingNewToADrainedSideAndWhatRunsCompletes() throws Exception {
        shop.publish(revision -> TestChannels.both(revision, 100, null, 100));
        List<HttpClient> kept =
                Stream.generate(ChannelShopTest::newBrowser).limit(50).toList();
        for (HttpClient connection : kept) {
            assertThat(get(connection, "gateway", "/orders?by=client")).startsWith("order/blue inventory/blue");
        }
        TracingService.held = new CountDownLatch(1);
        List<CompletableFuture<HttpResponse<String>>> slow = new ArrayList<>();
        for (HttpClient connection : kept.subList(0, 10)) {
            slow.add(connection.sendAsync(request("gateway", "/orders/slow"), HttpResponse.BodyHandlers.ofString()));
        }
        await().until(() -> shop.servedBy("order/blue").underWay() == 10);

        shop.publish(revision -> TestChannels.both(revision, 0, null, 100));
        long begun = shop.servedBy("order/blue").begun();
        for (HttpClient connection : kept) {
            assertThat(get(connection, "gateway", "/orders?by=client")).startsWith("order/green inventory/green");
        }

        assertThat(shop.servedBy("order/blue").begun()).isEqualTo(begun);
        assertThat(shop.servedBy("order/blue").underWay()).isEqualTo(10);
        TracingService.held.countDown();
        for (CompletableFuture<HttpResponse<String>> running : slow) {
            assertThat(running.join().statusCode()).isEqualTo(200);
            assertThat(running.join().body()).startsWith("order/blue inventory/blue");
        }
        await().until(() -> shop.servedBy("order/blue").underWay() == 0);
    }

    /** Publishes, and waits until everybody goes by it. */
    private static void switchTo(Load load, LongFunction<RuleSet> rules) {
        shop.publish(rules);
        List<Integer> then = load.now();
        await().pollInterval(Duration.ofMillis(5)).until(() -> load.hasPassed(then));
    }

    /** As a release does it: only a side that is silent leaves, and only one that is back gets a share. */
    private static void closeAndOpen(Load load, int share, Color side) {
        switchTo(load, revision -> TestChannels.both(revision, share, side, 100 - share));
        await().until(() -> shop.isGone(side));
        switchTo(load, revision -> TestChannels.both(revision, share, null, 100 - share));
        await().until(() -> shop.isListed(side));
    }

    private static Set<String> colorsReachedBy(RestTemplate caller) {
        Set<String> colors = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            colors.add(
                    caller.getForObject("http://inventory/stock", String.class).replace("inventory/", ""));
        }
        return colors;
    }

    private static boolean isOfOneColor(String trace) {
        return trace.matches("order/(blue|green) inventory/\\1 coupon/(blue|green)");
    }

    private static String get(String process, String path, String... headers) throws Exception {
        return get(browser, process, path, headers);
    }

    private static String get(HttpClient client, String process, String path, String... headers) throws Exception {
        HttpResponse<String> response =
                client.send(request(process, path, headers), HttpResponse.BodyHandlers.ofString());
        return response.statusCode() == 200 ? response.body() : response.statusCode() + " " + response.body();
    }

    private static HttpRequest request(String process, String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(shop.address(process) + path));
        return (headers.length == 0 ? request : request.headers(headers)).build();
    }

    private static HttpClient newBrowser() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }
}
