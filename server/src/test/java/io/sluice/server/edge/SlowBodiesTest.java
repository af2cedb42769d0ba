package io.sluice.server.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.server.Api;
import io.sluice.server.LocalServer;
import io.sluice.server.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that send half a body, or read no answer, keep no operator waiting. */
class SlowBodiesTest {
    /** Sooner than any half body is given up, which is after five seconds. */
    private static final Duration AT_ONCE = Duration.ofSeconds(3);

    private final Api api = LocalServer.api();
    private final int port = api.server().getPort();
    private final String id = LocalServer.name("slow");
    private final List<RawClient> clients = new ArrayList<>();

    @BeforeEach
    void started() {
        api.post("/api/v1/releases", Api.release(id, id, "10m"));
        api.post("/api/v1/releases/" + id + "/start", "{}");
    }

    @AfterEach
    void leave() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
        timeOfAbort();
        await().until(() -> api.withToken("").get("/api/v1/rules").status() == 200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/observations", "/api/v1/releases", "/", "/nowhere"})
    void halfSentBodiesKeepNoAbortWaiting(String path) throws IOException {
        for (int i = 0; i < 300; i++) {
            clients.add(RawClient.send(port, half(path, "Content-Length: 1000")));
        }

        assertThat(timeOfAbort()).isLessThan(AT_ONCE);
    }

    @Test
    void answersThatNobodyReadsKeepNoAbortWaiting() throws IOException {
        for (int i = 0; i < 100; i++) {
            String asked = "GET /v3/api-docs HTTP/1.1\r\nHost: localhost\r\n\r\n";
            clients.add(RawClient.send(port, asked.repeat(100)));
        }

        assertThat(timeOfAbort()).isLessThan(AT_ONCE);
    }

    @ParameterizedTest
    @CsvSource({"Content-Length: 1000,' '", "Transfer-Encoding: chunked,'1\r\n \r\n'"})
    void aBodyThatTricklesIsRefusedAtItsDeadline(String length, String part) throws Exception {
        RawClient client = RawClient.send(port, half("/api/v1/observations", length));
        clients.add(client);
        BodyFilter filter = LocalServer.context().getBean(BodyFilter.class);
        timeOfAbort();
        await().pollInterval(Duration.ofMillis(500)).until(() -> {
            trickle(client, part);
            return filter.waiting() == 0;
        });

        assertThat(client.readAll()).startsWith("HTTP/1.1 408").contains("the body did not come in time");
    }

    @Test
    void aBodyThatIsNoneIsRefused() throws IOException {
        RawClient client =
                RawClient.send(port, half("/api/v1/observations", "Transfer-Encoding: chunked") + "no chunk\r\n");
        clients.add(client);

        assertThat(client.readAll()).startsWith("HTTP/1.1 400");
    }

    @Test
    void halfABodyWithoutARestIsRefusedAtItsDeadline() throws IOException {
        RawClient client = RawClient.send(port, half("/api/v1/observations", "Content-Length: 1000"));
        clients.add(client);

        assertThat(client.readAll()).startsWith("HTTP/1.1 408");
    }

    @Test
    void manyBodiesInHalvesMakeTheOldestGiveUp() throws IOException {
        RawClient oldest = RawClient.send(port, half("/api/v1/observations", "Content-Length: 1000"));
        clients.add(oldest);
        for (int i = 0; i < 300; i++) {
            clients.add(RawClient.send(port, half("/api/v1/observations", "Content-Length: 1000")));
        }

        assertThat(oldest.readAll()).startsWith("HTTP/1.1 503").contains("Retry-After: 1");
    }

    @Test
    void aBodyInTwoPartsIsTaken() throws IOException {
        String batch = Api.batch(id, 1, id, 1, "canary", 7, 0);
        RawClient client = RawClient.send(
                port,
                "POST /api/v1/observations HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                        + "Content-Type: application/json\r\nContent-Length: " + batch.length() + "\r\n\r\n"
                        + batch.substring(0, 40));
        clients.add(client);

        client.send(batch.substring(40));

        assertThat(client.readAll()).startsWith("HTTP/1.1 204");
        assertThat(api.get("/api/v1/releases/" + id + "/lanes").body().toString())
                .contains("\"count\":7");
    }

    private Duration timeOfAbort() {
        long asked = System.nanoTime();
        assertThat(api.post("/api/v1/releases/" + id + "/abort", "{\"why\":\"now\"}")
                        .status())
                .isEqualTo(200);
        return Duration.ofNanos(System.nanoTime() - asked);
    }

    private static void trickle(RawClient client, String part) {
        try {
            client.send(part);
        } catch (IOException closed) {
            // As it should be after the deadline.
        }
    }

    private static String half(String path, String length) {
        return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + length
                + "\r\n\r\n";
    }
}
