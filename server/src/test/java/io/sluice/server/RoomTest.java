package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import io.sluice.wire.RuleSetJson;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No rule set may come about that processes refuse: an abort in it would reach nobody. */
@Requirement("A8")
class RoomTest {
    private static final int MOST_BYTES = 1 << 20;

    @TempDir
    Path data;

    @Test
    void ofManyThatCreateAtOnceOnlySoManyFit() throws Exception {
        try (ChildServer server = ChildServer.start(data)) {
            Api api = server.api();

            List<Integer> statuses = IntStream.range(0, 4)
                    .parallel()
                    .mapToObj(i -> api.post("/api/v1/releases", release("big" + i, 3000)))
                    .map(Api.Answer::status)
                    .toList();

            assertThat(statuses).containsOnly(201, 400).containsOnlyOnce(201);
        }
    }

    @Test
    void abortsWithLongReasonsFitToo() throws Exception {
        try (ChildServer server = ChildServer.start(data)) {
            Api api = server.api();
            for (int i = 0; i < 30; i++) {
                start(api, "small" + i, 1);
            }
            for (int allowed = 3400; api.get("/api/v1/releases/full").status() == 404; allowed -= 100) {
                api.post("/api/v1/releases", release("full", allowed));
            }
            api.post("/api/v1/releases/full/start", "{}");
            String why = "\\u5e93".repeat(500);
            for (int i = 0; i < 30; i++) {
                assertThat(api.post("/api/v1/releases/small" + i + "/abort", "{\"why\":\"" + why + "\"}")
                                .status())
                        .isEqualTo(200);
            }

            byte[] published = api.get("/api/v1/rules").raw().body();

            assertThat(published.length).isBetween(MOST_BYTES / 2, MOST_BYTES);
            assertThat(RuleSetJson.read(published).release("small29").isAborted())
                    .isTrue();
        }
    }

    private static void start(Api api, String id, int allowed) {
        assertThat(api.post("/api/v1/releases", release(id, allowed)).status()).isEqualTo(201);
        assertThat(api.post("/api/v1/releases/" + id + "/start", "{}").status()).isEqualTo(200);
    }

    /** A release with so many customers of 250 bytes on its allowlist. */
    private static String release(String id, int allowed) {
        String allow = IntStream.range(0, allowed)
                .mapToObj(i -> "\"%s%06d\"".formatted("c".repeat(244), i))
                .collect(Collectors.joining(","));
        return """
                {"id":"%s","version":"v2","services":["%s"],"allow":[%s],"plan":{"hold":"1h"},
                 "guard":{"minSamples":10,"maxErrorRate":0.02,"maxP99":"300ms"}}
                """.formatted(id, id, allow);
    }
}
