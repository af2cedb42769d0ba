package io.sluice.spring.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.tag.TagCodec;
import io.sluice.spring.AddressRange;
import io.sluice.spring.RecordingMeters;
import io.sluice.spring.TrustedPeers;
import io.sluice.spring.report.SluiceMeters.Claim;
import io.sluice.testing.Requirement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.server.adapter.ForwardedHeaderTransformer;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** Every request here came over a real socket, byte by byte as written, from 127.0.0.1. */
class OutsideClaimsTest {
    private static final String TAG = "uid=mallory;version=v2;release=release-1";

    private final RecordingMeters meters = new RecordingMeters();

    static Stream<Arguments> forgeries() {
        return Stream.of(
                Arguments.of("plain", List.of("X-Gray-Tag: " + TAG)),
                Arguments.of("lower case", List.of("x-gray-tag: " + TAG)),
                Arguments.of("upper case", List.of("X-GRAY-TAG: " + TAG)),
                Arguments.of("underscores", List.of("X_Gray_Tag: " + TAG)),
                Arguments.of("one underscore", List.of("x_gray-tag: " + TAG)),
                Arguments.of("doubled", List.of("X-Gray-Tag: " + TAG, "x-gray-tag: version=stable")),
                Arguments.of("doubled by underscore", List.of("X-Gray-Tag: " + TAG, "X_GRAY_TAG: " + TAG)),
                Arguments.of("9 KB", List.of("X-Gray-Tag: uid=" + "a".repeat(9 * 1024))),
                Arguments.of("bad escapes", List.of("X-Gray-Tag: uid=%zz;version=%C0%AE")),
                Arguments.of("foreign release", List.of("X-Gray-Tag: version=v9;release=theirs")),
                Arguments.of("empty", List.of("X-Gray-Tag:")),
                Arguments.of("colors", List.of("x-deploy-channel-type: trade%3Dgreen")),
                Arguments.of("colors, other spelling", List.of("X_Deploy_Channel_Type: trade=green")),
                Arguments.of("baggage", List.of("baggage: x-deploy-channel-type=trade%3Dgreen")),
                Arguments.of("baggage, tag", List.of("Baggage: x-gray-tag=v2")),
                Arguments.of("baggage, with properties", List.of("baggage: X-Deploy-Channel-Type = green;ttl=1")),
                Arguments.of("baggage, bare key", List.of("baggage: x-deploy-channel-type;p")),
                Arguments.of("claimed address", List.of("X-Forwarded-For: 10.0.0.1", "X-Gray-Tag: " + TAG)),
                Arguments.of("forwarded", List.of("Forwarded: for=10.0.0.1", "X-Gray-Tag: " + TAG)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("forgeries")
    @Requirement({"E2", "F52"})
    void nothingOfOursComesInFromOutside(String name, List<String> lines) {
        HttpHeaders seen = headersSeen(trusting("10.0.0.0/8"), lines);

        assertThat(seen.headerNames()).noneMatch(TagCodec::isOurs);
        assertThat(seen.headerNames()).doesNotContain("baggage");
        assertThat(meters.events()).containsExactly(Claim.UNTRUSTED);
    }

    @Test
    @Requirement("F52")
    void theUsersOwnBaggageStays() {
        HttpHeaders seen = headersSeen(
                TrustedPeers.nobody(),
                List.of(
                        "baggage: userId=alice, x-deploy-channel-type=trade%3Dgreen ,serverNode=DF%2028;ttl=60",
                        "baggage: x-deploy-channel-type=green", "baggage: my-x-deploy-channel-type=1"));

        assertThat(seen.getOrEmpty("baggage"))
                .containsExactly("userId=alice,serverNode=DF%2028;ttl=60", "my-x-deploy-channel-type=1");
    }

    @Test
    @Requirement("F52")
    void tenThousandMembersOfBaggageHideNothing() {
        String others = String.join(",", Collections.nCopies(10_000, "k=v"));

        HttpHeaders seen =
                headersSeen(TrustedPeers.nobody(), List.of("baggage: " + others + ",x-deploy-channel-type=green"));

        assertThat(seen.getOrEmpty("baggage")).containsExactly(others);
    }

    @Test
    void aCleanRequestIsNotTouched() {
        HttpHeaders seen =
                headersSeen(TrustedPeers.nobody(), List.of("X-User-Id: 7", "baggage: a=1 , b=2", "X-Gray-Tagged: yes"));

        assertThat(seen.getOrEmpty("X-User-Id")).containsExactly("7");
        assertThat(seen.getOrEmpty("baggage")).containsExactly("a=1 , b=2");
        assertThat(seen.getOrEmpty("X-Gray-Tagged")).containsExactly("yes");
        assertThat(meters.events()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.0/8", "0.0.0.0/0"})
    @Requirement("E2")
    void aTrustedUpstreamsClaimsStay(String range) {
        HttpHeaders seen = headersSeen(
                trusting(range), List.of("X-Gray-Tag: " + TAG, "X-Forwarded-For: 203.0.113.9", "baggage: a=1"));

        assertThat(seen.getOrEmpty(TagCodec.HEADER)).containsExactly(TAG);
        assertThat(seen.getOrEmpty("baggage")).containsExactly("a=1");
        assertThat(meters.events()).isEmpty();
    }

    private static TrustedPeers trusting(String range) {
        return new TrustedPeers(List.of(AddressRange.parse(range)));
    }

    /** The headers that the application sees, with forwarded addresses taken over as an application may ask for. */
    private HttpHeaders headersSeen(TrustedPeers trusted, List<String> lines) {
        AtomicReference<HttpHeaders> seen = new AtomicReference<>();
        ForwardedHeaderTransformer forwarded = new ForwardedHeaderTransformer();
        HttpHandler application = (request, response) -> {
            seen.set(HttpHeaders.copyOf(forwarded.apply(request).getHeaders()));
            return response.setComplete();
        };
        HttpHandler guarded = new OutsideClaims(trusted, meters).apply(application);
        DisposableServer server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .forwarded(true)
                .httpRequestDecoder(limits -> limits.maxHeaderSize(128 * 1024))
                .handle(new ReactorHttpHandlerAdapter(guarded))
                .bindNow();
        try {
            send(server.port(), lines);
        } finally {
            server.disposeNow();
        }
        return seen.get();
    }

    private static void send(int port, List<String> lines) {
        List<String> head = new ArrayList<>(List.of("GET / HTTP/1.1", "Host: shop", "Connection: close"));
        head.addAll(lines);
        try (Socket socket = new Socket("127.0.0.1", port)) {
            byte[] bytes = (String.join("\r\n", head) + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
            socket.getOutputStream().write(bytes);
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertThat(answer).startsWith("HTTP/1.1 200");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
