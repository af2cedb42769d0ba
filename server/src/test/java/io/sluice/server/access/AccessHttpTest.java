package io.sluice.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Api;
import io.sluice.server.LocalServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

class AccessHttpTest {
    private static final Set<String> OPEN = Set.of(
            "GET /",
            "GET /console",
            "GET /console/",
            "GET /schema/{name}.json",
            "GET /v3/api-docs",
            "GET /actuator/health",
            "GET /api/v1/leader",
            "GET /api/v1/rules",
            "GET /api/v1/rules/stream",
            "POST /api/v1/observations",
            "POST /api/v1/workloads",
            "POST /api/v1/migrations/{name}/reports");

    private final Api api = LocalServer.api();
    private final Api nobody = api.withToken("");

    static Stream<String> routes() {
        Map<String, RequestMappingHandlerMapping> mappings =
                LocalServer.context().getBeansOfType(RequestMappingHandlerMapping.class);
        return mappings.values().stream()
                .flatMap(mapping -> mapping.getHandlerMethods().keySet().stream())
                .flatMap(AccessHttpTest::routes)
                .filter(route -> !OPEN.contains(route))
                .sorted();
    }

    private static Stream<String> routes(RequestMappingInfo info) {
        Set<?> methods = info.getMethodsCondition().getMethods();
        List<String> verbs = methods.isEmpty()
                ? List.of("GET", "POST")
                : methods.stream().map(Object::toString).toList();
        return info.getPatternValues().stream().flatMap(path -> verbs.stream().map(verb -> verb + " " + path));
    }

    @Test
    void theWalkKnowsTheRoutes() {
        assertThat(routes()).contains("POST /api/v1/releases/{id}/{command}", "DELETE /api/v1/access/tokens/{name}");
    }

    @ParameterizedTest
    @MethodSource("routes")
    void everyRouteThatIsNotListedAsOpenNeedsAToken(String route) {
        String verb = route.substring(0, route.indexOf(' '));
        String path = route.substring(route.indexOf(' ') + 1).replaceAll("[{][^}]*[}]", "abort");

        Api.Answer answer = nobody.send(nobody.request(path)
                .header("Content-Type", "application/json")
                .header("User-Agent", "Nacos-Server")
                .header("X-HTTP-Method-Override", "GET")
                .method(verb, BodyPublishers.ofString("{}")));

        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.body().path("title").asString()).isEqualTo("Unauthorized");
        assertThat(answer.raw().headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//api/v1/releases",
                "/api//v1/releases",
                "/./api/v1/releases",
                "/console/../api/v1/releases",
                "/console/..;/api/v1/releases",
                "/console/%2e%2e/api/v1/releases",
                "/console/%2E%2E%2Fapi/v1/releases",
                "/console//../api/v1/releases",
                "/schema/..%2f..%2fapi/v1/releases",
                "/api/v1/rules;a=b/../releases",
                "/api/v1/releases;a=b",
                "/api/v1/releases/",
                "/API/V1/RELEASES",
                "/api/v1/rules/",
                "/api/v1/rules;x",
                "/api/v1/rules/../releases",
                "/actuator/health/../../api/v1/releases",
                "/actuator",
                "/actuator/env",
                "/actuator/health/db",
                "/h2-console",
                "/swagger-ui/index.html",
                "/error"
            })
    void noWayOfWritingAnAddressOpensIt(String target) throws IOException {
        String status = statusOf("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

        assertThat(status).matches("HTTP/1.1 (400|401).*");
    }

    @Test
    void openPagesNeedNoToken() {
        assertThat(nobody.get("/actuator/health").status()).isEqualTo(200);
        assertThat(nobody.get("/api/v1/rules").status()).isEqualTo(200);
        assertThat(nobody.get("/v3/api-docs").body().path("paths").has("/api/v1/releases"))
                .isTrue();
        assertThat(nobody.get("/").status()).isEqualTo(302);
    }

    @Test
    void everyAnswerHasTheSecurityHeaders() {
        Api.Answer answer = nobody.get("/api/v1/releases");

        assertThat(answer.raw().headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy ->
                        assertThat(policy).contains("default-src 'self'").contains("frame-ancestors 'none'"));
        assertThat(answer.raw().headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    }

    @Test
    void aTokenIsShownOnceAndNoLongerWorksAfterItsEnd() {
        String name = LocalServer.name("token");
        Api.Answer created = api.post("/api/v1/access/tokens", "{\"name\":\"" + name + "\"}");
        String token = created.body().path("token").asString();

        assertThat(created.status()).isEqualTo(201);
        assertThat(token).matches("[A-Za-z0-9_-]{43}");
        assertThat(api.withToken(token)
                        .get("/api/v1/whoami")
                        .body()
                        .path("name")
                        .asString())
                .isEqualTo(name);
        assertThat(api.get("/api/v1/access/tokens").body().toString())
                .contains(name)
                .doesNotContain(token)
                .contains("lastUsedAt");
        assertThat(api.post("/api/v1/access/tokens", "{\"name\":\"" + name + "\"}")
                        .status())
                .isEqualTo(409);
        assertThat(api.delete("/api/v1/access/tokens/" + name).status()).isEqualTo(204);
        assertThat(api.delete("/api/v1/access/tokens/" + name).status()).isEqualTo(404);
        assertThat(api.withToken(token).get("/api/v1/whoami").status()).isEqualTo(401);
    }

    @Test
    void theLastTokenStays() {
        Api.Answer answer = api.delete("/api/v1/access/tokens/setup");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(api.get("/api/v1/whoami").status()).isEqualTo(200);
    }

    private String statusOf(String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", api.server().getPort())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            StringBuilder line = new StringBuilder();
            for (int c = in.read(); c >= 0 && c != '\r'; c = in.read()) {
                line.append((char) c);
            }
            return line.toString();
        }
    }
}
