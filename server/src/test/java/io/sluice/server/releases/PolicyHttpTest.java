package io.sluice.server.releases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.server.Api;
import io.sluice.server.LocalServer;
import io.sluice.testing.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What verdicts lead to by a plan's policy, on a running server. */
class PolicyHttpTest {
    private final Api api = LocalServer.api();
    private final String id = LocalServer.name("release");
    private final String service = LocalServer.name("service");

    @Test
    @Requirement({"B9", "F28", "F31"})
    void aBreachStepsBackOnceAndTheReleaseWaitsThere() {
        begin("10m", "\"onBreach\":\"step-back\"");
        command("promote");

        api.post("/api/v1/observations", Api.batch(service, 1, id, 2, "canary", 100, 6));
        await().until(() -> view().path("stepBacks").asInt() == 1);

        JsonNode view = view();
        assertThat(view.path("phase").asString()).isEqualTo("paused");
        assertThat(view.path("percent").asInt()).isEqualTo(10);
        assertThat(view.path("step").asLong()).isEqualTo(3);
        assertThat(view.path("why").asString()).isEqualTo(service + ": error_rate=0.0600>0.0200");
        assertThat(view.path("guard").path("onBreach").asString()).isEqualTo("step-back");
        assertThat(entries("step-back"))
                .singleElement()
                .satisfies(entry -> assertThat(entry.path("actor").asString()).isEqualTo("guard"));
        JsonNode rules = api.get("/api/v1/rules").body();
        assertThat(rules.path("releases").valueStream())
                .filteredOn(rule -> rule.path("id").asString().equals(id))
                .singleElement()
                .satisfies(rule -> {
                    assertThat(rule.path("percent").asInt()).isEqualTo(10);
                    assertThat(rule.path("step").asLong()).isEqualTo(3);
                });
        command("abort");
    }

    @Test
    @Requirement({"B7", "L3"})
    void aReleaseThatIsOnHoldForTooLongIsPausedAndSaysWhy() {
        begin("500ms", "\"holdLimit\":\"1s\"");

        await().until(() -> view().path("phase").asString().equals("paused"));

        assertThat(view().path("why").asString()).isEqualTo("on hold for 1s: " + service + ": no_data");
        assertThat(view().path("stage").asInt()).isZero();
        assertThat(entries("pause"))
                .singleElement()
                .satisfies(entry -> assertThat(entry.path("actor").asString()).isEqualTo("guard"));
        command("abort");
    }

    @Test
    void aTemplateIsShownAsItsStages() {
        String request = Api.release(id, service, "10m")
                .replaceFirst("\"plan\":.*\n", "\"plan\":{\"template\":\"fixed\",\"step\":\"50%\",\"bake\":\"1h\"},\n");

        JsonNode view = api.post("/api/v1/releases", request).body();

        assertThat(view.path("plan"))
                .hasToString("{\"stages\":[{\"percent\":50,\"hold\":\"10m\"},{\"percent\":100,\"hold\":\"1h\"}],"
                        + "\"pace\":\"time\"}");
        command("abort");
    }

    private void begin(String hold, String policy) {
        String request = Api.release(id, service, hold).replace("\"300ms\"}", "\"300ms\"," + policy + "}");
        assertThat(api.post("/api/v1/releases", request).status()).isEqualTo(201);
        command("start");
    }

    private void command(String command) {
        assertThat(api.post("/api/v1/releases/" + id + "/" + command, "{\"why\":\"because\"}")
                        .status())
                .isEqualTo(200);
    }

    private JsonNode view() {
        return api.get("/api/v1/releases/" + id).body();
    }

    private List<JsonNode> entries(String action) {
        return api.get("/api/v1/releases/" + id + "/journal")
                .body()
                .path("entries")
                .valueStream()
                .filter(entry -> entry.path("action").asString().equals(action))
                .toList();
    }
}
