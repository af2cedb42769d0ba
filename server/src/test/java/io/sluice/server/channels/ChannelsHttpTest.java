package io.sluice.server.channels;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Api;
import io.sluice.server.Api.Answer;
import io.sluice.server.LocalServer;
import io.sluice.testing.Requirement;
import io.sluice.wire.RuleSetJson;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class ChannelsHttpTest {
    private final Api api = LocalServer.api();
    private final Api process = api.withToken("");
    private final String channel = LocalServer.name("channel");
    private final String service = LocalServer.name("service");

    @Test
    @Requirement("C3")
    void aChannelIsCreatedShownPublishedAndDeleted() {
        Answer created = create(channel, service);

        assertThat(created.status()).isEqualTo(201);
        assertThat(created.body().path("bluePercent").asInt()).isEqualTo(50);
        assertThat(created.body().path("release").isNull()).isTrue();
        assertThat(created.body().path("sides")).hasSize(2);
        assertThat(api.get("/api/v1/channels/" + channel).body()).isEqualTo(created.body());
        assertThat(api.get("/api/v1/channels").body().path("channels")).contains(created.body());
        assertThat(RuleSetJson.read(process.get("/api/v1/rules").raw().body()).channelOf(service))
                .isNotNull();

        assertThat(api.delete("/api/v1/channels/" + channel).status()).isEqualTo(204);

        assertThat(api.delete("/api/v1/channels/" + channel).status()).isEqualTo(404);
        assertThat(RuleSetJson.read(process.get("/api/v1/rules").raw().body()).channelOf(service))
                .isNull();
        assertThat(api.get("/api/v1/audit?limit=1000").body().path("entries"))
                .filteredOn(entry -> entry.path("why").asString().startsWith(channel))
                .extracting(entry -> entry.path("action").asString())
                .containsExactly("delete-channel", "channel");
    }

    @Test
    @Requirement("C3")
    void aServiceInTwoChannelsIsRefusedByName() {
        create(channel, service);

        Answer refused = create(LocalServer.name("channel"), service);

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body().path("detail").asString())
                .isEqualTo("service " + service + " is in channel " + channel
                        + " already, and a service is in one channel at most");
        assertThat(create(channel, LocalServer.name("service")).status()).isEqualTo(409);
    }

    static Stream<Arguments> badChannels() {
        return Stream.of(
                Arguments.of("{\"id\":\"trade\",\"services\":[]}", "services"),
                Arguments.of("{\"id\":\"trade\"}", "services"),
                Arguments.of("{\"id\":\"Trade\",\"services\":[\"a\"]}", "id"),
                Arguments.of("{\"id\":\"trade\",\"services\":[\"a\",\"a\"]}", "services"),
                Arguments.of("{\"id\":\"trade\",\"services\":[\"a\"],\"colour\":1}", "colour"));
    }

    @ParameterizedTest
    @MethodSource("badChannels")
    void aChannelThatIsNoneIsRefused(String body, String path) {
        Answer refused = api.post("/api/v1/channels", body);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body().path("problems"))
                .extracting(problem -> problem.path("path").asString())
                .anyMatch(found -> found.startsWith(path));
    }

    static Stream<Arguments> badReleases() {
        String good = Samples.blueGreen("bad", "CHANNEL", "1m");
        return Stream.of(
                Arguments.of(good.replace("\"percent\":100", "\"percent\":60"), 400, "plan.stages[1].percent"),
                Arguments.of(good.replace("\"percent\":50", "\"percent\":100"), 400, "green[0].percent"),
                Arguments.of(good.replace("\"percent\":10,", "\"percent\":101,"), 400, "plan.stages[0].percent"),
                Arguments.of(good.replace("\"percent\":10,", "\"percent\":-1,"), 400, "plan.stages[0].percent"),
                Arguments.of(good.replace("\"why\"", "\"deployer\":\"helm\",\"why\""), 400, "deployer"),
                Arguments.of(good.replace("\"why\"", "\"extra\":{\"nobody\":1},\"why\""), 400, "extra"),
                Arguments.of(good.replace("blue-green", "recreate"), 400, "strategy"));
    }

    @ParameterizedTest
    @MethodSource("badReleases")
    void aReleaseThatIsNoneIsRefused(String body, int status, String path) {
        create(channel, service);

        Answer refused = api.post("/api/v1/releases", body.replace("CHANNEL", channel));

        assertThat(refused.status()).isEqualTo(status);
        assertThat(refused.body().path("problems"))
                .extracting(problem -> problem.path("path").asString())
                .contains(path);
    }

    @Test
    void aReleaseOfAnUnknownChannelIsNotFound() {
        assertThat(api.post("/api/v1/releases", Samples.blueGreen("bad", LocalServer.name("channel"), "1m"))
                        .status())
                .isEqualTo(404);
    }

    @Test
    void aReleaseWithoutInstancesDoesNotStart() {
        create(channel, service);
        String id = LocalServer.name("release");
        api.post("/api/v1/releases", Samples.blueGreen(id, channel, "1m"));

        Answer refused = api.post("/api/v1/releases/" + id + "/start", "{}");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body().path("detail").asString())
                .contains(service + ".blue")
                .contains(service + ".green");
        assertThat(api.post("/api/v1/releases/" + id + "/abort", "{\"why\":\"no\"}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void whatIsUnknownIsNotFound() {
        assertThat(api.get("/api/v1/channels/nobody").status()).isEqualTo(404);
        assertThat(api.post(
                                "/api/v1/channels/nobody/scale",
                                "{\"service\":\"a\",\"color\":\"blue\",\"instances\":1,\"why\":\"w\"}")
                        .status())
                .isEqualTo(404);
    }

    @Test
    @Requirement("C7")
    void anUnknownColorIsRefused() {
        create(channel, service);

        Answer refused = api.post(
                "/api/v1/channels/" + channel + "/scale",
                "{\"service\":\"" + service + "\",\"color\":\"red\",\"instances\":-1,\"why\":\"w\"}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body().path("problems"))
                .extracting(problem -> problem.path("path").asString())
                .containsExactly("color", "instances");
    }

    @Test
    @Requirement("C6")
    void whereNothingRunsYetTheVersionIsNamed() {
        create(channel, service);
        String scale = "{\"service\":\"" + service + "\",\"color\":\"blue\",\"instances\":1,\"why\":\"w\"";

        Answer unnamed = api.post("/api/v1/channels/" + channel + "/scale", scale + "}");
        Answer named = api.post("/api/v1/channels/" + channel + "/scale", scale + ",\"version\":\"v1\"}");

        assertThat(unnamed.status()).isEqualTo(409);
        assertThat(unnamed.body().path("detail").asString()).contains("name it as version");
        assertThat(named.status()).isEqualTo(202);
    }

    @Test
    void aProcessReportsAndIsStruckOff() {
        String instance = service + "@10.0.0.7:8080";
        String report = "{\"service\":\"" + service + "\",\"instance\":\"" + instance + "\",\"color\":\"blue\","
                + "\"version\":\"v1\",\"ready\":true,\"registered\":true,\"requests\":3,\"underWay\":0,\"crossed\":0,"
                + "\"epoch\":0,\"revision\":0}";

        assertThat(process.post("/api/v1/workloads", report).status()).isEqualTo(204);
        assertThat(process.post("/api/v1/workloads", report.replace("blue", "red"))
                        .status())
                .isEqualTo(400);

        JsonNode all = api.get("/api/v1/workloads").body();
        assertThat(all.path("published").asString()).matches("1\\.[0-9]+");
        assertThat(all.path("workloads"))
                .filteredOn(each -> each.path("instance").asString().equals(instance))
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.path("reached").asBoolean()).isTrue();
                    assertThat(each.path("applied").asBoolean()).isFalse();
                    assertThat(each.path("requests").asInt()).isEqualTo(3);
                });
        assertThat(api.delete("/api/v1/workloads/"
                                + instance.replace("@", "%40").replace(":", "%3A"))
                        .status())
                .isEqualTo(204);
        assertThat(api.delete("/api/v1/workloads/" + instance).status()).isEqualTo(404);
    }

    private Answer create(String id, String of) {
        return api.post("/api/v1/channels", "{\"id\":\"" + id + "\",\"services\":[\"" + of + "\"]}");
    }
}
