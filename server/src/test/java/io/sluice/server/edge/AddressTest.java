package io.sluice.server.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Api;
import io.sluice.server.LocalServer;
import io.sluice.server.RawClient;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a request is addressed to. */
class AddressTest {
    private final Api api = LocalServer.api();

    @ParameterizedTest
    @CsvSource({
        "localhost,200",
        "LocalHost:7070,200",
        "127.0.0.1,200",
        "[::1]:7070,200",
        "10.1.2.3,200",
        "stranger.example,400",
        "127.0.0.1.stranger.example,400",
        "localhost.stranger.example:7070,400"
    })
    void strangersNamesAreRefused(String host, int status) throws IOException {
        assertThat(get("/api/v1/rules", host)).startsWith("HTTP/1.1 " + status);
    }

    @Test
    void aRefusedNameIsToldWhereToAllowIt() throws IOException {
        assertThat(get("/api/v1/rules", "stranger.example"))
                .contains("application/problem+json")
                .contains("\"path\":\"Host\",\"was\":\"stranger.example\"")
                .contains("--allowed-hosts");
    }

    @Test
    void namesThatWereGivenAreOwn() {
        OwnNames names = OwnNames.with(Set.of("Sluice.Shop.example"));

        assertThat(names.has("sluice.shop.EXAMPLE")).isTrue();
        assertThat(names.has("shop.example")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"%zz", "%ed%a0%80", "%", "%4", "1%ff", "%c0%80"})
    void aQueryThatCannotBeReadIsRefusedByItsParameter(String value) throws IOException {
        String answer = get("/api/v1/audit?release=x&limit=" + value, "localhost");

        assertThat(answer).startsWith("HTTP/1.1 400").contains("\"path\":\"limit\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/rules?a=%E4%B8%AD&b&=&%41=1", "/api/v1/rules?a=%F0%9F%98%80", "/api/v1/rules?"})
    void aQueryThatCanBeReadIsNobodysConcern(String target) throws IOException {
        assertThat(get(target, "localhost")).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /console/%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /{ HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET / HTTP/1.1\r\n\r\n",
                "NONSENSE\r\n\r\n"
            })
    void whatTheContainerRefusesHasTheOneShape(String request) throws IOException {
        String answer = RawClient.send(api.server().getPort(), request).readAll();

        assertThat(answer)
                .startsWith("HTTP/1.1 400")
                .contains("Content-Type: application/problem+json")
                .contains("X-Content-Type-Options: nosniff")
                .contains("\"status\":400")
                .doesNotContain("<html");
    }

    private String get(String target, String host) throws IOException {
        String request = "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer " + api.token()
                + "\r\nConnection: close\r\n\r\n";
        try (RawClient client = RawClient.send(api.server().getPort(), request)) {
            return client.readAll();
        }
    }
}
