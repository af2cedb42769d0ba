package io.sluice.server.channels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.core.tag.Color;
import io.sluice.server.Api;
import io.sluice.server.Api.Answer;
import io.sluice.server.LocalServer;
import io.sluice.testing.Requirement;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Releases of channels, over HTTP, with processes that do what the rules say. */
class BlueGreenHttpTest {
    private final Api api = LocalServer.api();
    private final String channel = LocalServer.name("channel");
    private final String id = LocalServer.name("release");
    private final String order = LocalServer.name("order");
    private final SimulatedShop shop = new SimulatedShop(LocalServer::api, channel, order);

    @BeforeEach
    void createChannel() {
        assertThat(api.post("/api/v1/channels", "{\"id\":\"" + channel + "\",\"services\":[\"" + order + "\"]}")
                        .status())
                .isEqualTo(201);
        await().until(() -> api.get("/api/v1/channels/" + channel)
                        .body()
                        .path("sides")
                        .get(0)
                        .path("instances")
                        .size()
                == 2);
    }

    @AfterEach
    void stop() {
        shop.close();
        api.post("/api/v1/releases/" + id + "/abort", "{\"why\":\"the test is over\"}");
    }

    @Test
    @Requirement({"C3", "C4"})
    void anAbortSendsEverybodyBackToGreenAtOnce() {
        admit();

        Answer aborted = command("abort", "wrong totals");

        assertThat(aborted.status()).isEqualTo(200);
        assertThat(aborted.body().path("phase").asString()).isEqualTo("returned");
        assertThat(aborted.body().path("bluePercent").asInt()).isZero();
        assertThat(aborted.body().path("why").asString()).isEqualTo("wrong totals");
        assertThat(flow().path("bluePercent").asInt()).isZero();
    }

    @Test
    @Requirement({"C4", "F49"})
    void anAbortWithoutGreenIsRefusedAndChangesNothing() {
        admit();
        shop.ready(Color.GREEN, false);
        await().until(() -> !view().path("wayBack").asBoolean(true));
        String before = flow().toString();

        Answer refused = command("abort", "wrong totals");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body().path("title").asString()).isEqualTo("Conflict");
        assertThat(refused.body().path("detail").asString()).startsWith("NO_WAY_BACK: ");
        assertThat(flow()).hasToString(before);
        assertThat(view().path("wayBackWhy").asString()).contains(order);
    }

    @Test
    @Requirement("F21")
    void ofTwoConsolesThatPromoteOneWins() throws Exception {
        admit();
        command("pause", "look");
        long step = view().path("step").asLong();
        String body = "{\"why\":\"on\",\"step\":" + step + "}";
        ExecutorService consoles = Executors.newFixedThreadPool(2);

        List<Integer> answers = consoles
                .invokeAll(List.<Callable<Integer>>of(
                        () -> api.post("/api/v1/releases/" + id + "/promote", body)
                                .status(),
                        () -> api.post("/api/v1/releases/" + id + "/promote", body)
                                .status()))
                .stream()
                .map(BlueGreenHttpTest::get)
                .sorted()
                .toList();

        consoles.shutdown();
        assertThat(answers).containsExactly(200, 409);
    }

    @Test
    @Requirement("F7")
    void aStageWaitsForAProcessThatCannotUseTheRulesAndNamesIt() {
        String gateway = order + "@green:2";
        String why = "releases[0].rules[0].match was fuzzy";
        shop.refuse(gateway, why);
        admit("300ms");

        await().until(() -> view().path("waitingFor").toString().contains("refused by " + gateway));
        assertThat(view().path("refusals"))
                .filteredOn(each -> each.path("instance").asString().equals(gateway))
                .singleElement()
                .satisfies(each -> assertThat(each.path("why").asString()).isEqualTo(why));
        assertThat(view().path("percent").asInt()).isEqualTo(10);

        shop.refuse(gateway, "");

        awaitPhase("confirming");
    }

    @Test
    void theViewTheLanesAndTheReportTellOfBothSides() {
        admit();

        await().until(() -> api.get("/api/v1/releases/" + id + "/lanes")
                        .body()
                        .path("totals")
                        .size()
                == 2);
        JsonNode view = view();
        assertThat(view.path("strategy").asString()).isEqualTo("blue-green");
        assertThat(view.path("channel").asString()).isEqualTo(channel);
        assertThat(view.path("percent").asInt()).isEqualTo(10);
        assertThat(view.path("stages").asInt()).isEqualTo(2);
        assertThat(view.path("sides").get(0).path("color").asString()).isEqualTo("blue");
        assertThat(view.path("sides").get(0).path("versions")).hasToString("[\"v2\"]");
        assertThat(view.path("sides")
                        .get(0)
                        .path("instances")
                        .get(0)
                        .path("plannedShare")
                        .asDouble())
                .isEqualTo(5);
        assertThat(view.path("allowedCommands")).hasToString("[\"pause\",\"promote\",\"abort\"]");
        JsonNode listed = api.get("/api/v1/releases").body().path("releases");
        assertThat(listed)
                .filteredOn(release -> release.path("id").asString().equals(id))
                .singleElement()
                .satisfies(
                        release -> assertThat(release.path("phase").asString()).isEqualTo("admitting"));
        JsonNode report = api.get("/api/v1/releases/" + id + "/report").body();
        JsonNode stages = report.path("stages");
        assertThat(stages.get(stages.size() - 1).path("askedPercent").asInt()).isEqualTo(10);
        assertThat(report.path("release").path("strategy").asString()).isEqualTo("blue-green");
        assertThat(api.get("/api/v1/releases/" + id + "/journal").body().path("entries"))
                .extracting(entry -> entry.path("action").asString())
                .contains("create", "start", "advance", "promote");
    }

    @Test
    @Requirement("C7")
    void scalingInAReleaseNeedsAnOverride() {
        start();
        String scale = "{\"service\":\"" + order + "\",\"color\":\"green\",\"instances\":3,\"why\":\"load\"";

        Answer refused = api.post("/api/v1/channels/" + channel + "/scale", scale + "}");
        Answer overridden = api.post("/api/v1/channels/" + channel + "/scale", scale + ",\"override\":true}");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body().path("detail").asString()).contains(id).contains("override");
        assertThat(overridden.status()).isEqualTo(202);
        assertThat(overridden.body().path("state").asString()).isEqualTo("waits-for-human");
        assertThat(overridden.body().path("note").asString()).contains("3 instances");
        assertThat(api.get("/api/v1/releases/" + id + "/journal").body().path("entries"))
                .extracting(entry -> entry.path("action").asString())
                .contains("scale");
    }

    @Test
    void aChannelInReleaseStays() {
        start();

        Answer refused = api.delete("/api/v1/channels/" + channel);

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body().path("detail").asString()).contains(id);
    }

    @Test
    void aCanaryOfAServiceInTheReleaseIsRefusedByName() {
        start();

        Answer refused = api.post("/api/v1/releases", Api.release(LocalServer.name("canary"), order, "1m"));

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body().path("detail").asString()).contains(order).contains(id);
    }

    private void start() {
        start("10m");
    }

    private void start(String hold) {
        assertThat(api.post("/api/v1/releases", Samples.blueGreen(id, channel, hold))
                        .status())
                .isEqualTo(201);
        assertThat(command("start", "").status()).isEqualTo(200);
    }

    /** Up to the first stage of blue. */
    private void admit() {
        admit("10m");
    }

    private void admit(String hold) {
        start(hold);
        awaitPhase("deploying");
        shop.deploy(Color.BLUE, "v2");
        await().until(() -> command("promote", "deployed").status() == 200);
        awaitPhase("verifying");
        command("promote", "well");
        awaitPhase("admitting");
    }

    private void awaitPhase(String phase) {
        await().until(() -> view().path("phase").asString().equals(phase));
    }

    private Answer command(String command, String why) {
        return api.post("/api/v1/releases/" + id + "/" + command, "{\"why\":\"" + why + "\"}");
    }

    private JsonNode view() {
        return api.get("/api/v1/releases/" + id).body();
    }

    private JsonNode flow() {
        return api.get("/api/v1/rules")
                .body()
                .path("channels")
                .valueStream()
                .filter(each -> each.path("id").asString().equals(channel))
                .findFirst()
                .orElseThrow()
                .path("flow");
    }

    private static int get(java.util.concurrent.Future<Integer> answer) {
        try {
            return answer.get();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }
}
