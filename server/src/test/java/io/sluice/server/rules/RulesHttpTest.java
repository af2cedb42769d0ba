package io.sluice.server.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.server.Api;
import io.sluice.server.LocalServer;
import io.sluice.testing.Requirement;
import io.sluice.wire.RuleSetJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RulesHttpTest {
    private final Api api = LocalServer.api();
    private final Api process = api.withToken("");

    @Test
    @Requirement("D1")
    void theDocumentIsReadWithItsRevisionAndOnlyWhenItIsNew() {
        String id = startedRelease();

        Api.Answer first = process.get("/api/v1/rules");
        String etag = first.raw().headers().firstValue("ETag").orElseThrow();
        Api.Answer again = process.send(
                process.request("/api/v1/rules").header("If-None-Match", etag).GET());

        assertThat(RuleSetJson.read(first.raw().body()).release(id)).isNotNull();
        assertThat(etag).isEqualTo("\"1." + first.body().path("revision").asLong() + "\"");
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.raw().body()).isEmpty();
    }

    @Test
    @Requirement("D1")
    void aReaderOfTheStreamGetsWhatHoldsThenWhatChanges() throws Exception {
        String id = startedRelease();
        try (Reader reader = new Reader(process.stream("/api/v1/rules/stream"))) {
            Event first = reader.next("rules");
            String current = process.get("/api/v1/rules").body().toString();
            api.post("/api/v1/releases/" + id + "/abort", "{\"why\":\"stop\"}");

            Event changed = reader.nextWith("\"aborted\":\"stop\"");

            assertThat(current).contains(id);
            assertThat(first.data).contains("\"id\":\"" + id + "\"");
            assertThat(first.id).matches("1[.][0-9]+");
            assertThat(RuleSetJson.read(changed.data.getBytes(StandardCharsets.UTF_8))
                            .release(id)
                            .isAborted())
                    .isTrue();
            assertThat(reader.next("beat").data).matches("1[.][0-9]+");
        }
    }

    @Test
    @Requirement("F46")
    void aReaderThatIsStuckDelaysNobody() throws Exception {
        String big = startedReleaseWithALongAllowlist();
        try (Socket stuck = new Socket();
                Reader reader = new Reader(process.stream("/api/v1/rules/stream"))) {
            stuck.setReceiveBufferSize(1024);
            stuck.connect(new InetSocketAddress("127.0.0.1", api.server().getPort()));
            stuck.getOutputStream()
                    .write("GET /api/v1/rules/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            reader.next("rules");
            // Each is about 300 KB, so that no buffer of the system can take what the stuck reader does not.
            for (int i = 0; i < 20; i++) {
                String command = i % 2 == 0 ? "promote" : "back";
                api.post("/api/v1/releases/" + big + "/" + command, "{\"why\":\"turn " + i + "\"}");
            }
            long asked = System.nanoTime();
            String last = LocalServer.name("last");
            api.post("/api/v1/releases", Api.release(last, last, "10m"));
            api.post("/api/v1/releases/" + last + "/start", "{}");

            Event event = reader.nextWith("\"id\":\"" + last + "\"");

            assertThat(event.name).isEqualTo("rules");
            assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(5));
        } finally {
            api.post("/api/v1/releases/" + big + "/abort", "{\"why\":\"the test is over\"}");
        }
    }

    @Test
    void aReaderThatLeftIsForgotten() throws Exception {
        RulesEndpoint endpoint = LocalServer.context().getBean(RulesEndpoint.class);
        Reader reader = new Reader(process.stream("/api/v1/rules/stream"));
        reader.next("rules");
        int before = endpoint.streams();

        reader.close();

        await().until(() -> endpoint.streams() < before);
    }

    private String startedRelease() {
        String id = LocalServer.name("rules");
        api.post("/api/v1/releases", Api.release(id, id, "10m"));
        api.post("/api/v1/releases/" + id + "/start", "{}");
        return id;
    }

    private String startedReleaseWithALongAllowlist() {
        String id = LocalServer.name("big");
        String allow = IntStream.range(0, 3000)
                .mapToObj(i -> "\"" + "customer".repeat(12) + i + "\"")
                .collect(Collectors.joining(",", "[", "]"));
        String body = Api.release(id, id, "10m").replace("\"version\"", "\"allow\":" + allow + ",\"version\"");
        assertThat(api.post("/api/v1/releases", body).status()).isEqualTo(201);
        api.post("/api/v1/releases/" + id + "/start", "{}");
        return id;
    }

    private record Event(String name, String id, String data) {}

    private static final class Reader implements AutoCloseable {
        private final InputStream stream;
        private final BufferedReader lines;

        Reader(InputStream stream) {
            this.stream = stream;
            this.lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
        }

        Event next(String name) throws IOException {
            Event event = next();
            while (!event.name.equals(name)) {
                event = next();
            }
            return event;
        }

        Event nextWith(String text) throws IOException {
            Event event = next();
            while (!event.data.contains(text)) {
                event = next();
            }
            return event;
        }

        private Event next() throws IOException {
            String name = "";
            String id = "";
            String data = "";
            for (String line = lines.readLine(); !line.isEmpty(); line = lines.readLine()) {
                String value = line.substring(line.indexOf(':') + 2);
                name = line.startsWith("event:") ? value : name;
                id = line.startsWith("id:") ? value : id;
                data = line.startsWith("data:") ? value : data;
            }
            return new Event(name, id, data);
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }
}
