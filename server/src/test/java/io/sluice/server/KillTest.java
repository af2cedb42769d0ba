package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testing.Requirement;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

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
            server.api().post("/api/v1/observations", Api.batch("service", 2, "release", 1, "stable", 90, 0));
            awaitSaved(server);
            server.kill();
            server = ChildServer.start(data);
            awaitHeld(server, 1500);

            assertThat(view(server, "release").path("step").asLong()).isEqualTo(1);

            server.api().post("/api/v1/observations", Api.batch("service", 3, "release", 1, "canary", 1, 0));
            server.api().post("/api/v1/observations", Api.batch("service", 4, "release", 1, "stable", 9, 0));
            ChildServer now = server;
            await().until(() -> view(now, "release").path("step").asLong() == 2);
        } finally {
            server.close();
        }
    }

    @Test
    @Requirement({"C9", "B6"})
    void detectorsGoOnWithWhatTheyKnew() throws Exception {
        ChildServer server = ChildServer.start(data);
        try {
            server.api().post("/api/v1/releases", Api.release("release", "service", "3m"));
            server.api().post("/api/v1/releases/release/start", "{}");
            Reporter reporter = new Reporter();
            // A tick without slower ones first, from which stable's median is known: it alone adds 1 / 2N.
            reporter.send(server, 0, 0);
            awaitEvidence(server, 0.501);
            reporter.send(server, 20, 2);
            awaitEvidence(server, 1);
            awaitLooks(server, 15);
            Random random = new Random(6);
            for (int kill = 0; kill < 2; kill++) {
                JsonNode before = slower(server);
                LockSupport.parkNanos(random.nextInt(200_000_000));
                server.kill();
                server = ChildServer.start(data);
                ChildServer now = server;
                // From the live verdict: the report also shows what was saved.
                await().until(() -> !judged(now).isMissingNode());
                JsonNode after = judged(server);
                JsonNode points = slower(server).path("points");
                assertThat(before.path("value").asDouble()).isBetween(1.0, 2.0);

                // A tick without requests, which adds 1 / 2N, may be lost; a head start would add 0.5 at once.
                assertThat(after.path("value").asDouble())
                        .isBetween(
                                before.path("value").asDouble() - 0.01,
                                before.path("value").asDouble() + 0.1);
                for (String count : List.of("canary", "canaryBad", "stable", "stableBad")) {
                    assertThat(after.path(count).asLong())
                            .isEqualTo(before.path(count).asLong());
                }
                assertThat(points.size())
                        .isGreaterThanOrEqualTo(before.path("points").size() - 3);
            }
            reporter.send(server, 20, 2);
            awaitEvidence(server, 2);
        } finally {
            server.close();
        }
    }

    private static void awaitEvidence(ChildServer server, double atLeast) {
        await().until(() -> slower(server).path("value").asDouble() >= atLeast);
    }

    /** An instance that sees both lanes, with some requests slower than the others. */
    private static final class Reporter {
        private long sequence;

        void send(ChildServer server, long slowerStable, long slowerCanary) {
            send(server, "stable", 900, slowerStable);
            send(server, "canary", 20, slowerCanary);
        }

        private void send(ChildServer server, String lane, long count, long slower) {
            String latencies = slower == 0 ? "" : ",\"400\":" + slower;
            String batch = Api.batch("service", ++sequence, "release", 1, lane, count, 0)
                    .replace("\"300\":" + count, "\"300\":" + (count - slower) + latencies);
            assertThat(server.api().post("/api/v1/observations", batch).status())
                    .isEqualTo(204);
        }
    }

    private static JsonNode judged(ChildServer server) {
        return ofSlower(view(server, "release").path("verdict").path("findings"));
    }

    private static JsonNode slower(ChildServer server) {
        JsonNode report = server.api().get("/api/v1/releases/release/report").body();
        return ofSlower(report.path("stages").get(0).path("evidence"));
    }

    private static JsonNode ofSlower(JsonNode metrics) {
        return metrics.valueStream()
                .filter(metric -> metric.path("metric").asString().equals("slower_p50"))
                .findFirst()
                .orElse(MissingNode.getInstance());
    }

    private static void awaitSaved(ChildServer server) {
        await().until(() ->
                view(server, "release").path("verdict").path("samples").asLong() > 0);
        awaitLooks(server, 10);
    }

    /**
     * Totals and evidence are saved once a second, and nothing tells of it. Looks at a release are 200 ms apart: so many of them
     * are time in which the server ran, not one in which the machine stood still.
     */
    private static void awaitLooks(ChildServer server, int looks) {
        for (int look = 0; look < looks; look++) {
            awaitHeld(server, held(server) + 1);
        }
    }

    private static void awaitHeld(ChildServer server, long millis) {
        await().until(() -> held(server) >= millis);
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
