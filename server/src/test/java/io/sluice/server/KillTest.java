package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testing.Requirement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The server may die at any moment, as by {@code kill -9}. */
class KillTest {
    private static final int KILLS = 20;

    @TempDir
    Path data;

    @Test
    @Requirement({"F20", "C9", "A8"})
    void anAcknowledgedAbortIsNeverLost() throws Exception {
        Random random = new Random(20);
        ChildServer server = ChildServer.start(data);
        try {
            for (int kill = 0; kill < KILLS; kill++) {
                String id = "release-" + kill;
                server.api().post("/api/v1/releases", Api.release(id, "service-" + kill, "10m"));
                server.api().post("/api/v1/releases/" + id + "/start", "{}");
                int status = server.api()
                        .post("/api/v1/releases/" + id + "/abort", "{\"why\":\"stop\"}")
                        .status();
                LockSupport.parkNanos(random.nextInt(5_000_000));
                server.kill();
                server = ChildServer.start(data);

                assertThat(status).isEqualTo(200);
                assertThat(view(server, id).path("phase").asString()).isEqualTo("aborted");
                assertThat(rule(server, id).path("aborted").asString()).isEqualTo("stop");
            }
            assertThat(server.api()
                            .get("/api/v1/audit/verify")
                            .body()
                            .path("whole")
                            .asBoolean())
                    .isTrue();
        } finally {
            server.close();
        }
    }

    @Test
    @Requirement({"C9", "F24", "F40"})
    void aRampGoesOnFromWhereItWas() throws Exception {
        Random random = new Random(24);
        ChildServer server = ChildServer.start(data);
        try {
            server.api().post("/api/v1/releases", Api.release("release", "service", "10m"));
            server.api().post("/api/v1/releases/release/start", "{}");
            server.api().post("/api/v1/observations", Api.batch("service", 1, "release", 1, "canary", 40, 0));
            awaitSaved(server);
            for (int kill = 0; kill < 3; kill++) {
                long before = watchAWhile(server);
                LockSupport.parkNanos(random.nextInt(200_000_000));
                server.kill();
                server = ChildServer.start(data);

                assertThat(held(server)).isGreaterThanOrEqualTo(before);
                assertThat(view(server, "release").path("stage").asInt()).isZero();
                assertThat(view(server, "release").path("step").asLong()).isEqualTo(1);
                assertOnPlan(server);
            }
            JsonNode report =
                    server.api().get("/api/v1/releases/release/report").body();
            assertThat(report.path("stages").get(0).path("canary").asLong()).isEqualTo(40);
            assertThat(report.path("stages")).hasSize(1);
        } finally {
            server.close();
        }
    }

    @Test
    @Requirement("C9")
    void evidenceFromBeforeTheKillAloneLetsNothingAdvance() throws Exception {
        ChildServer server = ChildServer.start(data);
        try {
            server.api().post("/api/v1/releases", Api.release("release", "service", "1s"));
            server.api().post("/api/v1/releases/release/start", "{}");
            // Nine of the ten that it takes, so that nothing advances before the kill.
            server.api().post("/api/v1/observations", Api.batch("service", 1, "release", 1, "canary", 9, 0));
            awaitSaved(server);
            server.kill();
            server = ChildServer.start(data);
            awaitHeld(server, 1500);

            assertThat(view(server, "release").path("step").asLong()).isEqualTo(1);

            server.api().post("/api/v1/observations", Api.batch("service", 2, "release", 1, "canary", 1, 0));
            ChildServer now = server;
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> view(now, "release").path("step").asLong() == 2);
        } finally {
            server.close();
        }
    }

    private static void awaitSaved(ChildServer server) {
        await().atMost(Duration.ofSeconds(20))
                .until(() ->
                        view(server, "release").path("verdict").path("samples").asLong() > 0);
        // Totals are saved once a second; the loop's next progress but one comes after that.
        awaitHeld(server, held(server) + 1500);
    }

    private static void awaitHeld(ChildServer server, long millis) {
        await().atMost(Duration.ofSeconds(30)).until(() -> held(server) >= millis);
    }

    private static long watchAWhile(ChildServer server) {
        awaitHeld(server, held(server) + 500);
        assertOnPlan(server);
        return held(server);
    }

    private static void assertOnPlan(ChildServer server) {
        assertThat(rule(server, "release").path("percent").asInt()).isEqualTo(10);
    }

    private static long held(ChildServer server) {
        return view(server, "release").path("heldMillis").asLong();
    }

    private static JsonNode view(ChildServer server, String id) {
        return server.api().get("/api/v1/releases/" + id).body();
    }

    private static JsonNode rule(ChildServer server, String id) {
        return server.api()
                .get("/api/v1/rules")
                .body()
                .path("releases")
                .valueStream()
                .filter(rule -> rule.path("id").asString().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
