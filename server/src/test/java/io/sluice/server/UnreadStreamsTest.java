package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A thousand clients that read nothing, a rule set of nearly a megabyte, and a heap of 256 MB. Their connections alone hold
 * about 75 KB each in Tomcat's buffers, and the database takes some 20 MB to write such rules; a copy of the rules for each
 * client would take 900 MB.
 */
@Timeout(600)
class UnreadStreamsTest {
    private static final int MOST_STREAMS = 1000;

    /** A thread that waits for who reads nothing waits for 20 s. */
    private static final Duration AT_ONCE = Duration.ofSeconds(5);

    @TempDir
    Path data;

    private final List<RawClient> clients = new ArrayList<>();
    private ChildServer server;
    private Api api;

    @BeforeEach
    void startWithALargeRuleSet() throws IOException {
        server = ChildServer.start(data);
        api = server.api();
        String allow = IntStream.range(0, 4000)
                .mapToObj(i -> "\"" + "customer".repeat(26) + i + "\"")
                .collect(Collectors.joining(",", "[", "]"));
        start(
                "large",
                Api.release("large", "large", "10m").replace("\"version\"", "\"allow\":" + allow + ",\"version\""));
        start("small", Api.release("small", "small", "10m"));
    }

    @AfterEach
    void stop() throws Exception {
        for (RawClient client : clients) {
            client.close();
        }
        server.close();
    }

    @Test
    void unreadStreamsTakeNeitherMemoryNorTheAbort() throws IOException {
        readNothing(MOST_STREAMS, "/api/v1/rules/stream");
        for (int i = 0; i < 20; i++) {
            String command = i % 2 == 0 ? "promote" : "back";
            Api.Answer steered = command("small", command);
            assertThat(steered.status()).as(steered.toString()).isEqualTo(200);
        }

        long asked = System.nanoTime();
        Api.Answer aborted = command("small", "abort");

        assertThat(aborted.status()).as(aborted.toString()).isEqualTo(200);
        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(AT_ONCE);
        assertThat(api.get("/api/v1/rules").body().toString()).contains("\"aborted\":\"now\"");
    }

    @Test
    void moreStreamsThanThereMayBeAreRefused() throws IOException {
        // Small rules, which the system's buffers take, so that no reader is stuck and cut off.
        assertThat(command("large", "abort").status()).isEqualTo(200);
        readNothing(MOST_STREAMS, "/api/v1/rules/stream");
        for (RawClient client : clients) {
            assertThat(client.readLine()).startsWith("HTTP/1.1 200");
        }

        // The last of them may still stand in line when one more is answered, which then took a place.
        await().until(() -> oneMore().startsWith("HTTP/1.1 503"));
    }

    private String oneMore() throws IOException {
        RawClient client = RawClient.send(api.server().getPort(), request("/api/v1/rules/stream", "close"));
        clients.add(client);
        return client.readLine();
    }

    @Test
    void rulesThatNobodyReadsTakeNeitherMemoryNorTheAbort() throws IOException {
        readNothing(MOST_STREAMS, "/api/v1/rules");

        long asked = System.nanoTime();
        int aborted = command("small", "abort").status();

        assertThat(aborted).isEqualTo(200);
        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(AT_ONCE);
    }

    private void readNothing(int times, String path) throws IOException {
        for (int i = 0; i < times; i++) {
            clients.add(RawClient.send(api.server().getPort(), request(path, "keep-alive")));
        }
    }

    private static String request(String path, String connection) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: " + connection + "\r\n\r\n";
    }

    private void start(String id, String body) {
        assertThat(api.post("/api/v1/releases", body).status()).isEqualTo(201);
        assertThat(api.post("/api/v1/releases/" + id + "/start", "{}").status()).isEqualTo(200);
    }

    private Api.Answer command(String id, String command) {
        return api.post("/api/v1/releases/" + id + "/" + command, "{\"why\":\"now\"}");
    }
}
