package io.sluice.spring.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.observation.ServedRequests;
import io.sluice.core.observation.Vantage;
import io.sluice.core.propagation.Scope;
import io.sluice.core.propagation.StrictTagStorage;
import io.sluice.core.propagation.TagContext;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.tag.ChannelColors;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TrafficTag;
import io.sluice.spring.RecordingMeters;
import io.sluice.spring.RecordingSink;
import io.sluice.spring.RecordingSink.Ended;
import io.sluice.spring.TestChannels;
import io.sluice.spring.TestRules;
import io.sluice.spring.TestSettings;
import io.sluice.spring.TrustedPeers;
import io.sluice.spring.report.SluiceMeters.Claim;
import io.sluice.spring.report.Standing;
import io.sluice.testing.Requirement;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class TagFilterTest {
    private static final TrafficTag TAG = TestRules.canaryTag("7");

    private final StrictTagStorage storage = new StrictTagStorage();
    private final Scope strict = TagContext.use(storage);
    private final InMemoryRuleSource rules = TestRules.holding(TestRules.live(0));
    private final RecordingSink observations = new RecordingSink();
    private final ServedRequests served = new ServedRequests();
    private final RecordingMeters meters = new RecordingMeters();
    private final TagFilter filter = new TagFilter(
            TrustedPeers.privateRanges(),
            TestSettings.of("order", TestRules.VERSION, Color.BLUE),
            new Standing(new Vantage.Instance("order", TestRules.VERSION), rules),
            observations,
            served,
            meters,
            SluiceServletAutoConfiguration.outside(List.of("/healthz", "/actuator")));

    private final MockHttpServletRequest request = new MockHttpServletRequest("GET", "/");
    private final MockHttpServletResponse response = new MockHttpServletResponse();

    @AfterEach
    @Requirement({"E3", "F14"})
    void nothingIsLeftOnTheThread() {
        storage.assertNoLeaks();
        strict.close();
        assertThat(MDC.getCopyOfContextMap() == null ? Map.of() : MDC.getCopyOfContextMap())
                .isEmpty();
    }

    @ParameterizedTest(name = "from {0}: {1}")
    @CsvSource({
        "127.0.0.1,         true",
        "::1,               true",
        "10.1.2.3,          true",
        "172.20.0.1,        true",
        "192.168.7.7,       true",
        "fd00::1,           true",
        "::ffff:10.1.2.3,   true",
        "203.0.113.9,       false",
        "172.32.0.1,        false",
        "2001:db8::1,       false",
        "169.254.1.1,       false"
    })
    @Requirement({"E2", "E3", "F52"})
    void onlyATrustedPeersTagIsBelieved(String peer, boolean believed) throws Exception {
        request.setRemoteAddr(peer);
        request.addHeader(TagCodec.HEADER, TagCodec.format(TAG));
        request.addHeader("X-Forwarded-For", believed ? "203.0.113.9" : "127.0.0.1");

        TrafficTag seen = serve();

        assertThat(seen).isEqualTo(believed ? TAG : TrafficTag.empty());
        assertThat(meters.events()).isEqualTo(believed ? List.of() : List.of(Claim.UNTRUSTED));
    }

    @Test
    @Requirement("F52")
    void anAddressThatHeadersForwardedProvesNothing() throws Exception {
        request.setRemoteAddr("203.0.113.9");
        request.addHeader(TagCodec.HEADER, TagCodec.format(TAG));
        HttpServletRequestWrapper forwarded = new HttpServletRequestWrapper(request) {
            @Override
            public String getRemoteAddr() {
                return "127.0.0.1";
            }
        };
        Seen seen = new Seen();

        filter.doFilter(forwarded, response, seen);

        assertThat(seen.tag).isEqualTo(TrafficTag.empty());
    }

    @Test
    @Requirement("E2")
    void aPeerBehindForwardedHeadersIsStillThePeer() throws Exception {
        request.setRemoteAddr("203.0.113.9");
        request.setAttribute(PeerAddress.ATTRIBUTE, "10.0.0.7");
        request.addHeader(TagCodec.HEADER, TagCodec.format(TAG));

        assertThat(serve()).isEqualTo(TAG);
    }

    static Stream<Arguments> noTags() {
        return Stream.of(
                Arguments.of("doubled", List.of(TagCodec.format(TAG), TagCodec.format(TAG)), Claim.TAG_CONFLICT),
                Arguments.of("bad escape", List.of("uid=%zz;version=v2;release=release-1"), Claim.TAG_REFUSED),
                Arguments.of("9 KB", List.of("uid=" + "a".repeat(9 * 1024)), Claim.TAG_REFUSED),
                Arguments.of("half a pair", List.of("version=v2"), Claim.TAG_REFUSED));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("noTags")
    void whatIsNoTagIsCountedAndStable(String name, List<String> values, Claim claim) throws Exception {
        values.forEach(value -> request.addHeader(TagCodec.HEADER, value));

        assertThat(serve()).isEqualTo(TrafficTag.empty());
        assertThat(meters.events()).containsExactly(claim);
    }

    @Test
    @Requirement("E3")
    void logLinesSayLaneTagAndVersion() throws Exception {
        request.addHeader(TagCodec.HEADER, TagCodec.format(TAG));
        Map<String, String> fields = new HashMap<>();

        filter.doFilter(request, response, (inner, answer) -> fields.putAll(MDC.getCopyOfContextMap()));

        assertThat(fields)
                .containsOnly(
                        Map.entry("sluice.lane", "canary"),
                        Map.entry("sluice.tag", "uid=7;version=v2;release=release-1"),
                        Map.entry("sluice.version", "v2"));
    }

    @ParameterizedTest(name = "status {0} has failed: {1}")
    @CsvSource({"200, false", "404, false", "500, true", "503, true"})
    void theStatusSaysWhetherItFailed(int status, boolean failed) throws Exception {
        filter.doFilter(request, response, (inner, answer) -> response.setStatus(status));

        assertThat(observations.ended()).containsExactly(new Ended(TrafficTag.empty(), failed));
    }

    @Test
    @Requirement("E3")
    void anExceptionIsAFailureAndLeavesNothingBehind() {
        request.addHeader(TagCodec.HEADER, TagCodec.format(TAG));
        FilterChain failing = (inner, answer) -> {
            throw new ServletException("broken");
        };

        assertThatThrownBy(() -> filter.doFilter(request, response, failing)).isInstanceOf(ServletException.class);

        assertThat(observations.ended()).containsExactly(new Ended(TAG, true));
    }

    @ParameterizedTest(name = "{0} is observed: {1}")
    @CsvSource({
        "/actuator,          false",
        "/actuator/health,   false",
        "/healthz,           false",
        "/actuators,         true",
        "/orders/actuator,   true",
        "/,                  true"
    })
    void theActuatorIsServedButNotObserved(String path, boolean observed) throws Exception {
        request.setServletPath(path);
        request.addHeader(TagCodec.HEADER, TagCodec.format(TAG));

        TrafficTag seen = serve();

        assertThat(seen).isEqualTo(TAG);
        assertThat(observations.ended()).hasSize(observed ? 1 : 0);
        assertThat(served.begun()).isEqualTo(observed ? 1 : 0);
        assertThat(served.underWay()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 500})
    @Requirement("E3")
    void anAsynchronousRequestIsNotedOnceWhenItCompletes(int status) throws Exception {
        AsyncContext async = startAsync();

        filter.doFilter(request, response, (inner, answer) -> {});
        assertThat(observations.ended()).isEmpty();

        assertThat(dispatched()).isEqualTo(TAG);
        assertThat(observations.ended()).isEmpty();
        response.setStatus(status);
        async.complete();
        assertThat(observations.ended()).containsExactly(new Ended(TAG, status >= 500));
    }

    @Test
    void anAsynchronousRequestThatBreaksIsAFailure() throws Exception {
        MockAsyncContext async = startAsync();
        filter.doFilter(request, response, (inner, answer) -> {});

        for (var listener : async.getListeners()) {
            listener.onError(null);
        }
        async.complete();

        assertThat(observations.ended()).extracting(Ended::failed).containsExactly(true);
    }

    @Test
    void anAsynchronousRequestIsUnderWayUntilItCompletes() throws Exception {
        MockAsyncContext async = startAsync();
        filter.doFilter(request, response, (inner, answer) -> {});

        assertThat(served.underWay()).isEqualTo(1);
        async.complete();
        assertThat(served.underWay()).isZero();
    }

    @Test
    @Requirement("E7")
    void whatComesWithoutAColorGetsThatOfTheInstanceInItsOwnChannelAndTheShareElsewhere() throws Exception {
        rules.offer(TestChannels.both(2, 0, null, 0));

        ChannelColors colors = serve().colors();

        assertThat(colors.asMap()).containsOnly(Map.entry("trade", Color.BLUE), Map.entry("promo", Color.GREEN));
        assertThat(served.crossed()).isZero();
    }

    @Test
    void outsideAReleaseNothingGetsAColor() throws Exception {
        rules.offer(TestChannels.resting(2));

        assertThat(serve()).isEqualTo(TrafficTag.empty());
    }

    @ParameterizedTest(name = "{0} from {1}: crossed {2}")
    @CsvSource({
        "blue,  127.0.0.1,   0, blue",
        "green, 127.0.0.1,   1, green",
        "green, 203.0.113.9, 0, blue",
        "red,   127.0.0.1,   0, blue"
    })
    @Requirement("E7")
    void aRequestOfTheOtherColorIsServedAndCounted(String color, String peer, long crossed, String inLog)
            throws Exception {
        rules.offer(TestChannels.trade(2, 50));
        request.setRemoteAddr(peer);
        request.addHeader(TagCodec.COLORS_HEADER, "trade%3D" + color);
        Map<String, String> fields = new HashMap<>();

        filter.doFilter(request, response, (inner, answer) -> fields.putAll(MDC.getCopyOfContextMap()));

        assertThat(served.crossed()).isEqualTo(crossed);
        assertThat(meters.events().contains("crossed")).isEqualTo(crossed == 1);
        assertThat(fields).containsEntry("sluice.color", inLog).doesNotContainKey("sluice.tag");
    }

    private MockAsyncContext startAsync() {
        request.addHeader(TagCodec.HEADER, TagCodec.format(TAG));
        request.setAsyncSupported(true);
        return (MockAsyncContext) request.startAsync(request, response);
    }

    /** The container comes back with the result, on another thread. */
    private TrafficTag dispatched() throws IOException, ServletException {
        request.setDispatcherType(DispatcherType.ASYNC);
        return serve();
    }

    private TrafficTag serve() throws IOException, ServletException {
        Seen seen = new Seen();
        filter.doFilter(request, response, seen);
        return seen.tag;
    }

    /** The application: sees its tag. */
    private static final class Seen implements FilterChain {
        private TrafficTag tag;

        @Override
        public void doFilter(ServletRequest request, ServletResponse response) {
            tag = TagContext.current();
        }
    }
}
