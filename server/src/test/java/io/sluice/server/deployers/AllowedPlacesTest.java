package io.sluice.server.deployers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import io.sluice.testing.Requirement;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("T15")
class AllowedPlacesTest {
    private static final Map<String, List<String>> NAMES = Map.ofEntries(
            Map.entry("localhost", List.of("127.0.0.1", "::1")),
            Map.entry("order.internal", List.of("10.1.2.3")),
            Map.entry("shared.internal", List.of("100.64.0.1")),
            Map.entry("here.example", List.of("127.0.0.1")),
            Map.entry("both.example", List.of("127.0.0.1", "10.0.0.1")),
            Map.entry("meta.example", List.of("169.254.169.254")),
            Map.entry("mapped.example", List.of("::ffff:127.0.0.1")),
            Map.entry("translated.example", List.of("64:ff9b::a9fe:a9fe")),
            Map.entry("sixtofour.example", List.of("2002:a9fe:a9fe::1")),
            Map.entry("any.example", List.of("0.0.0.0")),
            Map.entry("group.example", List.of("224.0.0.1")),
            Map.entry("mixed.example", List.of("10.0.0.1", "169.254.169.254")));

    private static InetAddress[] resolve(String host) throws UnknownHostException {
        List<String> addresses = NAMES.getOrDefault(host.toLowerCase(Locale.ROOT), List.of(host));
        InetAddress[] resolved = new InetAddress[addresses.size()];
        for (int i = 0; i < resolved.length; i++) {
            if (!addresses.get(i).matches("[\\[\\]0-9a-f:.]+")) {
                throw new UnknownHostException(host);
            }
            resolved[i] = InetAddress.getByName(addresses.get(i));
        }
        return resolved;
    }

    private static AllowedPlaces allowed(String... places) {
        return AllowedPlaces.of(List.of(places), AllowedPlacesTest::resolve);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:8081/actuator/health",
                "http://127.8.9.1/",
                "https://localhost:8443/ready?deep=1",
                "http://[::1]:8081/",
                "http://[::ffff:127.0.0.1]/",
                "http://here.example/"
            })
    void withoutAListTheLoopbackIsAllowed(String url) {
        assertThat(allowed().require(URI.create(url)).getAddress().isLoopbackAddress())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://10.0.0.1/",
                "http://169.254.169.254/latest/meta-data",
                "http://0.0.0.0:8081/",
                "http://[::]:8081/",
                "http://[fe80::1]/",
                "http://[::ffff:169.254.169.254]/",
                "http://order.internal:8081/",
                "http://both.example/",
                "http://unknown.example/",
                "http://user@127.0.0.1/",
                "http://127.0.0.1/#x",
                "ftp://127.0.0.1/",
                "file:///etc/passwd",
                "gopher://127.0.0.1:70/",
                "jar:http://127.0.0.1/x!/",
                "http://127.0.0.1:70000/",
                "http:///x",
                "/actuator/health",
                ""
            })
    void withoutAListNothingElseIs(String url) {
        assertThatThrownBy(() -> allowed().require(URI.create(url))).isInstanceOf(RefusedException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://order.internal:8081/health",
                "http://ORDER.internal:8081/health",
                "http://shared.internal:80/",
                "http://shared.internal/",
                "http://localhost:8081/",
                "http://169.254.1.1:80/"
            })
    void whatIsListedIsAllowed(String url) {
        allowed("order.internal:8081", "Shared.internal:80", "localhost:8081", "169.254.1.1:80")
                .require(URI.create(url));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://order.internal/",
                "http://127.0.0.1:80/",
                "http://here.example:80/",
                "http://meta.example:80/",
                "http://mapped.example:80/",
                "http://translated.example:80/",
                "http://sixtofour.example:80/",
                "http://any.example:80/",
                "http://group.example:80/",
                "http://mixed.example:80/"
            })
    void aListedNameLeadsToNoPlaceWhereNobodyPutAService(String url) {
        AllowedPlaces places = allowed(
                "order.internal:8081",
                "here.example:80",
                "meta.example:80",
                "mapped.example:80",
                "translated.example:80",
                "sixtofour.example:80",
                "any.example:80",
                "group.example:80",
                "mixed.example:80");

        assertThatThrownBy(() -> places.require(URI.create(url))).isInstanceOf(RefusedException.class);
    }

    @Test
    void aNameThatChangesBetweenTwoLooksLeadsWhereItWasChecked() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        AllowedPlaces places =
                AllowedPlaces.of(List.of(), host -> new InetAddress[] {
                    InetAddress.getByName(looks.getAndIncrement() == 0 ? "127.0.0.1" : "169.254.169.254")
                });

        InetSocketAddress address = places.require(URI.create("http://flips.example:8081/"));

        assertThat(address.getAddress().getHostAddress()).isEqualTo("127.0.0.1");
        assertThat(looks).hasValue(1);
    }

    @Test
    void aRefusalShowsNoSecretOfTheAddress() {
        assertThatThrownBy(() -> allowed().require(URI.create("http://me:word@10.0.0.1/x?token=word")))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("http://...@10.0.0.1/x")
                .hasMessageNotContaining("word");
    }

    @Test
    void whatIsNoPlaceIsRefusedAllAtOnce() {
        assertThatThrownBy(() -> allowed("order", "order:0", "http://order:80", "order:80", ":80"))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.problems())
                                .extracting(Object::toString)
                                .containsExactly(
                                        "sluice.checks.allowed was order, but must be like order.internal:8081",
                                        "sluice.checks.allowed was order:0, but must be like order.internal:8081",
                                        "sluice.checks.allowed was http://order:80, but must be like order.internal:8081",
                                        "sluice.checks.allowed was :80, but must be like order.internal:8081"));
    }
}
