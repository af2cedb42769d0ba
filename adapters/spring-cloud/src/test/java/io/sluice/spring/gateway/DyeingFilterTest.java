package io.sluice.spring.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.observation.ServedRequests;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.tag.ColorsCodec;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TrafficTag;
import io.sluice.spring.RecordingMeters;
import io.sluice.spring.RecordingSink;
import io.sluice.spring.RecordingSink.Ended;
import io.sluice.spring.TestChannels;
import io.sluice.spring.TestRules;
import io.sluice.spring.TestSettings;
import io.sluice.spring.report.SluiceMeters.Claim;
import io.sluice.testing.Requirement;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

class DyeingFilterTest {
    private final InMemoryRuleSource rules = TestRules.holding(TestRules.live(0));
    private final RecordingSink observations = new RecordingSink();
    private final RecordingMeters meters = new RecordingMeters();
    private final ServedRequests served = new ServedRequests();
    private final DyeingFilter filter =
            new DyeingFilter(rules, TestSettings.of("gateway", "stable", null), observations, served, meters);

    @Test
    @Requirement("E1")
    void theTagSaysWhoAskedAndOnWhichCanary() {
        HttpHeaders sent = headersSentFor(MockServerHttpRequest.get("/")
                .header("X-User-Id", TestRules.VIP)
                .header("X-Channel", "app"));

        assertThat(sent.getOrEmpty(TagCodec.HEADER))
                .containsExactly("uid=vip-1;channel=app;version=v2;release=release-1");
    }

    @Test
    @Requirement("E1")
    void aCustomerOffTheCanaryIsSaidToBeStable() {
        HttpHeaders sent = headersSentFor(MockServerHttpRequest.get("/?uid=7"));

        assertThat(sent.getOrEmpty(TagCodec.HEADER)).containsExactly("uid=7;version=stable");
    }

    static Stream<Arguments> customers() {
        return Stream.of(
                Arguments.of("header before query", get("/?uid=9").header("X-User-Id", "7"), "7"),
                Arguments.of("query alone", get("/?uid=9"), "9"),
                Arguments.of("repeated header is absent", get("/?uid=9").header("X-User-Id", "7", "8"), "9"),
                Arguments.of("repeated query is absent", get("/?uid=9&uid=8"), ""),
                Arguments.of("empty header is absent", get("/?uid=9").header("X-User-Id", ""), "9"),
                Arguments.of("too long is absent", get("/?uid=9").header("X-User-Id", "a".repeat(257)), "9"),
                Arguments.of("compared as sent", get("/").header("X-User-Id", " 42"), " 42"),
                Arguments.of("the word null is a name", get("/").header("X-User-Id", "null"), "null"),
                Arguments.of("nobody", get("/"), ""));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("customers")
    @Requirement("E1")
    void theCustomerIsTheFirstUsableOne(String name, MockServerHttpRequest.BaseBuilder<?> request, String customer) {
        ServerWebExchange exchange = MockServerWebExchange.from(request.build());

        filter.filter(exchange, sent -> Mono.empty()).block();

        assertThat(tagOf(exchange).uid()).isEqualTo(customer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a request id that is far too long"})
    @Requirement("E1")
    void aRequestWithoutAUsableIdGetsOneThatTravels(String id) {
        HttpHeaders sent = headersSentFor(get("/").header("X-Request-Id", id.isEmpty() ? id : id.repeat(10)));

        assertThat(sent.getOrEmpty("X-Request-Id"))
                .singleElement()
                .satisfies(made -> assertThat(UUID.fromString(made)).isNotNull());
    }

    @Test
    @Requirement("E1")
    void anAnonymousRequestIsDecidedByItsId() {
        rules.offer(TestRules.everybody());

        HttpHeaders sent = headersSentFor(get("/").header("X-Request-Id", "r-1"));

        assertThat(sent.getOrEmpty("X-Request-Id")).containsExactly("r-1");
        assertThat(sent.getOrEmpty(TagCodec.HEADER)).containsExactly("version=v2;release=release-1");
    }

    @Test
    void anAbortedReleaseDyesNobody() {
        rules.offer(TestRules.aborted());

        HttpHeaders sent = headersSentFor(get("/").header("X-User-Id", TestRules.VIP));

        assertThat(sent.getOrEmpty(TagCodec.HEADER)).containsExactly("uid=vip-1;version=stable");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "uid=1;version=v2;release=release-1",
                "uid=1;version=v9;release=theirs",
                "version=stable",
                "uid=1;version=stable;later=1"
            })
    @Requirement("E2")
    void aTrustedUpstreamsTagIsPassedOnUnchanged(String tag) {
        HttpHeaders sent = headersSentFor(get("/").header(TagCodec.HEADER, tag).header("X-User-Id", TestRules.VIP));

        assertThat(sent.getOrEmpty(TagCodec.HEADER)).containsExactly(tag);
        assertThat(meters.events()).isEmpty();
    }

    static Stream<Arguments> noTags() {
        return Stream.of(
                Arguments.of("doubled", new String[] {"version=stable", "version=stable"}, Claim.TAG_CONFLICT),
                Arguments.of("bad escape", new String[] {"uid=%zz"}, Claim.TAG_REFUSED),
                Arguments.of("overlong UTF-8", new String[] {"uid=%C0%AE"}, Claim.TAG_REFUSED),
                Arguments.of("no pairs", new String[] {"blue,green"}, Claim.TAG_REFUSED),
                Arguments.of("9 KB", new String[] {"uid=" + "a".repeat(9 * 1024)}, Claim.TAG_REFUSED),
                Arguments.of("key twice", new String[] {"uid=1;uid=2"}, Claim.TAG_REFUSED));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("noTags")
    @Requirement("E2")
    void whatIsNoTagIsCountedAndDecidedAgain(String name, String[] values, Claim claim) {
        HttpHeaders sent =
                headersSentFor(get("/").header(TagCodec.HEADER, values).header("X-User-Id", TestRules.VIP));

        assertThat(sent.getOrEmpty(TagCodec.HEADER)).containsExactly("uid=vip-1;version=v2;release=release-1");
        assertThat(meters.events()).containsExactly(claim);
    }

    @Test
    @Requirement("E2")
    void anEmptyTagIsNone() {
        HttpHeaders sent = headersSentFor(get("/").header(TagCodec.HEADER, "").header("X-User-Id", TestRules.VIP));

        assertThat(sent.getOrEmpty(TagCodec.HEADER)).containsExactly("uid=vip-1;version=v2;release=release-1");
        assertThat(meters.events()).isEmpty();
    }

    @Test
    void aRequestForwardedInsideTheGatewayIsNotedOnce() {
        ServerWebExchange exchange = exchangeOf(TestRules.VIP);

        filter.filter(exchange, first -> filter.filter(first, second -> Mono.empty()))
                .block();

        assertThat(observations.ended()).containsExactly(new Ended(TestRules.canaryTag(TestRules.VIP), false));
    }

    @ParameterizedTest(name = "status {0} has failed: {1}")
    @CsvSource({"200, false", "302, false", "404, false", "499, false", "500, true", "503, true", "504, true"})
    void theStatusSaysWhetherItFailed(int status, boolean failed) {
        answerWith(exchange -> {
            exchange.getResponse().setRawStatusCode(status);
            return Mono.empty();
        });

        assertThat(observations.ended()).extracting(Ended::failed).containsExactly(failed);
    }

    @Test
    void anErrorIsAFailureUnlessItBlamesTheClient() {
        answerWith(exchange -> Mono.error(new IllegalStateException("connection refused")));
        answerWith(exchange -> Mono.error(new ResponseStatusException(HttpStatus.GATEWAY_TIMEOUT)));
        answerWith(exchange -> Mono.error(new ResponseStatusException(HttpStatus.CONTENT_TOO_LARGE)));

        assertThat(observations.ended()).extracting(Ended::failed).containsExactly(true, true, false);
    }

    @Test
    void aCancelledRequestIsAFailure() {
        filter.filter(exchangeOf("7"), exchange -> Mono.never()).subscribe().dispose();

        assertThat(observations.ended()).extracting(Ended::failed).containsExactly(true);
    }

    @Test
    void aClientThatClosesOnceItHasItsAnswerIsNoFailure() {
        filter.filter(
                        exchangeOf("7"),
                        exchange -> exchange.getResponse().setComplete().then(Mono.never()))
                .subscribe()
                .dispose();

        assertThat(observations.ended()).extracting(Ended::failed).containsExactly(false);
    }

    @Test
    void aClientThatClosesOnceItHasAnErrorIsAFailure() {
        filter.filter(exchangeOf("7"), exchange -> {
                    exchange.getResponse().setStatusCode(HttpStatus.BAD_GATEWAY);
                    return exchange.getResponse().setComplete().then(Mono.never());
                })
                .subscribe()
                .dispose();

        assertThat(observations.ended()).extracting(Ended::failed).containsExactly(true);
    }

    @ParameterizedTest(name = "{0} % blue")
    @CsvSource({"0, green", "100, blue"})
    @Requirement("E7")
    void aRequestEntersTheChannelsInReleaseByTheirShare(int blue, String color) {
        rules.offer(TestChannels.trade(2, blue));

        HttpHeaders sent = headersSentFor(get("/").header("X-User-Id", "7"));

        assertThat(sent.getOrEmpty(TagCodec.HEADER)).containsExactly("uid=7;version=stable");
        assertThat(sent.getOrEmpty(TagCodec.COLORS_HEADER)).containsExactly("trade%3D" + color);
        assertThat(sent.getOrEmpty(ColorsCodec.BAGGAGE)).containsExactly("x-deploy-channel-type=trade%3D" + color);
    }

    @ParameterizedTest(name = "{0}, {1} % blue: {2}")
    @CsvSource({"'',      0, green", "'',    100, blue", "blue,    0, blue", "green, 100, green"})
    @Requirement("E7")
    void anInheritedTagKeepsItsColorsAndGetsTheOnesItLacks(String inherited, int blue, String sentOn) {
        rules.offer(TestChannels.both(2, blue, null, 100));
        MockServerHttpRequest.BaseBuilder<?> request =
                get("/").header(TagCodec.HEADER, "uid=7;version=stable").header(ColorsCodec.BAGGAGE, "other=1");

        HttpHeaders sent = headersSentFor(
                inherited.isEmpty() ? request : request.header(TagCodec.COLORS_HEADER, "trade%3D" + inherited));

        String colors = "promo%3Dblue%26trade%3D" + sentOn;
        assertThat(sent.getOrEmpty(TagCodec.HEADER)).containsExactly("uid=7;version=stable");
        assertThat(sent.getOrEmpty(TagCodec.COLORS_HEADER)).containsExactly(colors);
        assertThat(sent.getOrEmpty(ColorsCodec.BAGGAGE))
                .containsExactly("x-deploy-channel-type=" + colors + ",other=1");
    }

    @Test
    @Requirement("E7")
    void colorsOfATrustedUpstreamStayWithoutATagBesideThem() {
        rules.offer(TestChannels.trade(2, 0));

        HttpHeaders sent =
                headersSentFor(get("/").header("X-User-Id", "7").header(TagCodec.COLORS_HEADER, "trade%3Dblue"));

        assertThat(sent.getOrEmpty(TagCodec.HEADER)).containsExactly("uid=7;version=stable");
        assertThat(sent.getOrEmpty(TagCodec.COLORS_HEADER)).containsExactly("trade%3Dblue");
    }

    @Test
    void aRequestIsUnderWayUntilItEndsHoweverThatIs() {
        Disposable underWay =
                filter.filter(exchangeOf("7"), exchange -> Mono.never()).subscribe();
        answerWith(exchange -> Mono.error(new IllegalStateException("connection refused")));

        assertThat(served.begun()).isEqualTo(2);
        assertThat(served.underWay()).isEqualTo(1);
        underWay.dispose();
        assertThat(served.underWay()).isZero();
    }

    private void answerWith(GatewayFilterChain chain) {
        filter.filter(exchangeOf("7"), chain).onErrorComplete().block();
    }

    private HttpHeaders headersSentFor(MockServerHttpRequest.BaseBuilder<?> request) {
        HttpHeaders sent = new HttpHeaders();
        filter.filter(MockServerWebExchange.from(request.build()), exchange -> {
                    sent.putAll(exchange.getRequest().getHeaders());
                    return Mono.empty();
                })
                .block();
        return sent;
    }

    private static MockServerWebExchange exchangeOf(String customer) {
        return MockServerWebExchange.from(get("/").header("X-User-Id", customer).build());
    }

    private static TrafficTag tagOf(ServerWebExchange exchange) {
        return exchange.getRequiredAttribute(DyeingFilter.TAG_ATTRIBUTE);
    }

    private static MockServerHttpRequest.BaseBuilder<?> get(String path) {
        return MockServerHttpRequest.get(path);
    }
}
