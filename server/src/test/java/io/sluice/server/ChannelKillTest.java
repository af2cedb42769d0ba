package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.core.decision.Percent;
import io.sluice.core.tag.Color;
import io.sluice.server.channels.Samples;
import io.sluice.server.channels.SimulatedShop;
import io.sluice.testing.Requirement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A server that is killed in the middle of a release of a channel, again and again. */
class ChannelKillTest {
    private static final String ID = "trade-2026-11";
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    Path data;

    private volatile ChildServer server;
    private SimulatedShop shop;

    @BeforeEach
    void start() throws Exception {
        server = ChildServer.start(data);
        shop = new SimulatedShop(() -> server.api(), "trade", "inventory", "order");
        server.api().post("/api/v1/channels", "{\"id\":\"trade\",\"services\":[\"inventory\",\"order\"]}");
        until(() -> server.api()
                        .get("/api/v1/workloads")
                        .body()
                        .path("workloads")
                        .valueStream()
                        .filter(each -> each.path("applied").asBoolean())
                        .count()
                == 8);
    }

    @AfterEach
    void stop() throws Exception {
        shop.close();
        server.close();
    }

    @Test
    @Requirement({"C4", "C9", "F20"})
    void aReleaseGoesThroughAllItsPhases() throws Exception {
        startRelease("1s");
        killAndRestart();
        awaitPhase("deploying", "blue");
        assertThat(flow().path("closed").asString()).isEqualTo("blue");
        assertThat(flow().path("bluePercent").asInt()).isZero();
        shop.deploy(Color.BLUE, "v2");
        promoteTo("verifying");
        killAndRestart();
        assertThat(view().path("phase").asString()).isEqualTo("verifying");
        assertThat(flow().path("closed").asString()).isEqualTo("blue");
        promoteTo("opening");
        awaitPhase("confirming", "");
        killAndRestart();
        assertThat(view().path("bluePercent").asInt()).isEqualTo(100);
        assertThat(view().path("waitingFor").toString() + view().path("allowedCommands"))
                .contains("abort");
        until(() -> server.api()
                        .post("/api/v1/releases/" + ID + "/promote", "{\"why\":\"because\",\"phase\":\"confirming\"}")
                        .status()
                == 200);
        awaitPhase("deploying", "green");
        assertThat(flow().path("closed").asString()).isEqualTo("green");

        String before = flow().toString();
        Api.Answer refused = command("abort");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body().path("detail").asString()).startsWith("NO_WAY_BACK: ");
        assertThat(flow()).hasToString(before);
        killAndRestart();

        shop.deploy(Color.GREEN, "v2");
        promoteTo("opening");
        awaitPhase("completed", "");

        assertThat(shop.shares()).contains(Percent.of(10), Percent.of(100));
        assertThat(channel().has("flow")).isFalse();
        JsonNode view = view();
        assertThat(view.path("sides").get(0).path("versions")).hasToString("[\"v2\"]");
        assertThat(view.path("sides").get(1).path("versions")).hasToString("[\"v2\"]");
        assertThat(server.api()
                        .get("/api/v1/channels/trade")
                        .body()
                        .path("release")
                        .isNull())
                .isTrue();
        JsonNode report = server.api().get("/api/v1/releases/" + ID + "/report").body();
        assertThat(report.path("outcome").asString()).isEqualTo("completed");
        assertThat(report.path("stages"))
                .extracting(stage -> stage.path("askedPercent").asInt())
                .contains(0, 10, 100, 50);
        assertThat(server.api().get("/api/v1/audit/verify").body().path("whole").asBoolean())
                .isTrue();
    }

    @Test
    @Requirement({"C4", "F20", "A8"})
    void anAcknowledgedAbortIsNeverLostAndRestoringLeadsBack() throws Exception {
        startRelease("10m");
        awaitPhase("deploying", "blue");
        shop.deploy(Color.BLUE, "v2");
        promoteTo("verifying");
        promoteTo("opening");
        awaitPhase("admitting", "blue");

        int status = command("abort").status();
        killAndRestart();

        assertThat(status).isEqualTo(200);
        assertThat(view().path("phase").asString()).isEqualTo("returned");
        assertThat(flow().path("bluePercent").asInt()).isZero();
        for (String forward : List.of("start", "resume")) {
            assertThat(command(forward).status()).as(forward).isEqualTo(409);
        }
        until(() -> command("promote").status() == 200);
        awaitPhase("deploying", "blue");
        assertThat(view().path("restoring").asBoolean()).isTrue();
        shop.deploy(Color.BLUE, "v1");
        until(() -> command("promote").status() == 200);
        awaitPhase("aborted", "");
        assertThat(channel().has("flow")).isFalse();
    }

    private void startRelease(String hold) {
        assertThat(server.api()
                        .post("/api/v1/releases", Samples.blueGreen(ID, "trade", hold))
                        .status())
                .isEqualTo(201);
        assertThat(command("start").status()).isEqualTo(200);
    }

    private void killAndRestart() throws Exception {
        ChildServer killed = server;
        killed.kill();
        server = ChildServer.start(data);
    }

    /** As its answer tells: a phase like opening is soon over. */
    private void promoteTo(String phase) {
        Api.Answer promoted = await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> command("promote"), answer -> answer.status() == 200);
        assertThat(promoted.body().path("phase").asString()).isEqualTo(phase);
    }

    private void awaitPhase(String phase, String side) {
        until(() -> view().path("phase").asString().equals(phase)
                && view().path("side").asString("").equals(side));
    }

    private static void until(java.util.concurrent.Callable<Boolean> condition) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(200)).until(condition);
    }

    private Api.Answer command(String command) {
        return server.api().post("/api/v1/releases/" + ID + "/" + command, "{\"why\":\"because\"}");
    }

    private JsonNode view() {
        return server.api().get("/api/v1/releases/" + ID).body();
    }

    private JsonNode channel() {
        return server.api().get("/api/v1/rules").body().path("channels").get(0);
    }

    private JsonNode flow() {
        return channel().path("flow");
    }
}
