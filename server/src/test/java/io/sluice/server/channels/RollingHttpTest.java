package io.sluice.server.channels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.server.Api;
import io.sluice.server.Api.Answer;
import io.sluice.server.LocalServer;
import io.sluice.testing.Requirement;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Rolling releases under a guard, over HTTP, with processes that do what the rules say and count what they serve. */
@Requirement("C3")
class RollingHttpTest {
    private final Api api = LocalServer.api();
    private final String channel = LocalServer.name("channel");
    private final String id = LocalServer.name("release");
    private final String order = LocalServer.name("order");
    private final SimulatedShop shop = new SimulatedShop(LocalServer::api, channel, order);

    @BeforeEach
    void start() {
        assertThat(api.post("/api/v1/channels", "{\"id\":\"" + channel + "\",\"services\":[\"" + order + "\"]}")
                        .status())
                .isEqualTo(201);
        await().until(() -> api.get("/api/v1/channels/" + channel)
                        .body()
                        .path("sides")
                        .findValuesAsString("instance")
                        .size()
                == 4);
        assertThat(api.post("/api/v1/releases", Samples.guardedRolling(id, channel, 2))
                        .status())
                .isEqualTo(201);
        assertThat(command("start").status()).isEqualTo(200);
    }

    @AfterEach
    void stop() {
        shop.close();
        api.post("/api/v1/releases/" + id + "/abort", "{\"why\":\"the test is over\"}");
    }

    @Test
    void aHealthyVersionGoesBatchByBatchToTheEnd() {
        deploy(0, "v2");
        await().until(() -> isAt(1, "deploying"));

        JsonNode verdict = view().path("verdict");
        assertThat(verdict.path("service").asString()).isEqualTo(order);
        assertThat(renewal().path("version").asString()).isEqualTo("v2");
        deploy(1, "v2");
        await().until(() -> view().path("phase").asString().equals("completed"));

        assertThat(shop.versions()).containsOnly("v2");
        assertThat(renewal().isMissingNode()).isTrue();
        assertThat(view().path("verdict").path("health").asString()).isEqualTo("HEALTHY");
        JsonNode stages = api.get("/api/v1/releases/" + id + "/report").body().path("stages");
        assertThat(stages).extracting(stage -> stage.path("percent").asInt()).containsExactly(0, 50, 100, 100);
        assertThat(stages.get(1).path("canary").asLong()).isPositive();
        assertThat(stages.get(1).path("stable").asLong()).isPositive();
        assertThat(stages.get(1).path("verdict").path("health").asString()).isEqualTo("HEALTHY");
        assertThat(api.get("/api/v1/releases/" + id + "/journal").body().path("entries"))
                .extracting(entry -> entry.path("why").asString())
                .contains(order + ": healthy");
    }

    @Requirement("B9")
    @Test
    void aBadVersionIsTakenOutByItselfAndTheOldOneComesBack() {
        shop.breakVersion("v2");
        deploy(0, "v2");
        await().until(() -> view().path("restoring").asBoolean(false) && isAt(0, "deploying"));

        assertThat(view().path("why").asString()).isEqualTo(order + ": error_rate=1.0000>0.5000");
        assertThat(view().path("verdict").path("health").asString()).isEqualTo("BREACH");
        deploy(0, "v1");
        await().until(() -> view().path("phase").asString().equals("aborted"));

        assertThat(shop.versions()).containsOnly("v1");
        assertThat(api.get("/api/v1/releases/" + id + "/journal").body().path("entries"))
                .filteredOn(entry -> entry.path("action").asString().equals("abort"))
                .singleElement()
                .satisfies(entry -> assertThat(entry.path("actor").asString()).isEqualTo("guard"));
    }

    @Requirement("B9")
    @Test
    void aVersionThatTurnsBadLaterLeavesTheBatchesThatAreDoneAndSaysSo() {
        deploy(0, "v2");
        await().until(() -> isAt(1, "deploying"));
        shop.breakVersion("v2");

        await().until(() -> view().path("restoring").asBoolean(false));

        assertThat(view().path("why").asString()).startsWith("2 of 4 instances stay on v2: " + order + ": error_rate=");
        command("promote");
        await().until(() -> view().path("phase").asString().equals("aborted"));
        assertThat(shop.versions()).containsExactlyInAnyOrder("v1", "v1", "v2", "v2");
    }

    /** Does what the deployer asks a human for, and says so. */
    private void deploy(int batch, String version) {
        await().until(() -> isAt(batch, "deploying"));
        Set<String> instances = view().path("batch")
                .path("instances")
                .valueStream()
                .map(JsonNode::asString)
                .collect(Collectors.toSet());
        assertThat(instances).hasSize(2);
        shop.deploy(instances, version);
        assertThat(command("promote").status()).isEqualTo(200);
    }

    private boolean isAt(int batch, String part) {
        JsonNode at = view().path("batch");
        return at.path("index").asInt(-1) == batch
                && at.path("part").asString("").equals(part);
    }

    private Answer command(String command) {
        return api.post("/api/v1/releases/" + id + "/" + command, "{\"why\":\"as asked\"}");
    }

    private JsonNode view() {
        return api.get("/api/v1/releases/" + id).body();
    }

    private JsonNode renewal() {
        return api.get("/api/v1/rules")
                .body()
                .path("channels")
                .valueStream()
                .filter(each -> each.path("id").asString().equals(channel))
                .findFirst()
                .orElseThrow()
                .path("renewal");
    }
}
