package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testing.Requirement;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Several server processes on one PostgreSQL. */
class ReplicasTest {
    private static EmbeddedPostgres postgres;

    @TempDir
    Path data;

    @BeforeAll
    static void start() throws IOException {
        postgres = EmbeddedPostgres.builder().start();
    }

    @AfterAll
    static void stop() throws IOException {
        postgres.close();
    }

    @Test
    @Requirement("F25")
    void aLeaderThatStandsStillIsFollowedAndFollowsWhenItWakes() throws Exception {
        String database = postgres.getJdbcUrl("postgres", "postgres");
        try (ChildServer first = ChildServer.startOn(database, data.resolve("1"));
                ChildServer second = ChildServer.startOn(database, data.resolve("2"))) {
            assertThat(leads(first)).isTrue();
            assertThat(leads(second)).isFalse();
            first.api().post("/api/v1/releases", Api.release("release", "service", "1s"));
            second.api().post("/api/v1/releases/release/start", "{}");
            await().until(() -> percent(first) == 10 && percent(second) == 10);
            assertThat(report(second, 1, "canary", 1).status()).isEqualTo(503);
            assertThat(report(first, 1, "canary", 5).status()).isEqualTo(204);

            long frozenAt = System.nanoTime();
            first.signal("STOP");
            await().pollInterval(Duration.ofMillis(50)).until(() -> leads(second));
            Duration took = Duration.ofNanos(System.nanoTime() - frozenAt);
            // The second one counts on from what the first one saved, and moves the release to its next stage.
            report(second, 2, "canary", 20);
            report(second, 3, "stable", 200);
            await().until(() -> percent(second) == 100);
            String holder = holder();
            first.signal("CONT");
            await().until(() -> percent(first) == 100);

            assertThat(took).isLessThanOrEqualTo(Duration.ofSeconds(12));
            assertThat(leads(first)).isFalse();
            assertThat(leads(second)).isTrue();
            assertThat(first.api()
                            .post("/api/v1/releases/release/abort", "{\"why\":\"enough\"}")
                            .status())
                    .isEqualTo(200);
            await().until(() -> isAborted(second));
            assertThat(holder()).isEqualTo(holder);
            JsonNode audit = second.api().get("/api/v1/audit/verify").body();
            assertThat(audit.path("whole").asBoolean()).isTrue();
        }
    }

    private static Api.Answer report(ChildServer server, long sequence, String lane, long count) {
        return server.api().post("/api/v1/observations", Api.batch("service", sequence, "release", 1, lane, count, 0));
    }

    private static boolean leads(ChildServer server) {
        return server.api().get("/api/v1/leader").status() == 200;
    }

    private static String holder() {
        return JdbcClient.create(postgres.getPostgresDatabase())
                .sql("select holder || epoch from leader_lease")
                .query(String.class)
                .single();
    }

    private static int percent(ChildServer server) {
        return rule(server).path("percent").asInt();
    }

    private static boolean isAborted(ChildServer server) {
        return rule(server).path("aborted").asString("").equals("enough");
    }

    private static JsonNode rule(ChildServer server) {
        return server.api().get("/api/v1/rules").body().path("releases").path(0);
    }
}
