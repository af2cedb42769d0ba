package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.deployers.OrderDesk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A blue-green release by webhook, and the operator who lets it on wherever it waits for a human. */
record BlueGreenRun(String id, String channel, String version) {
    /** The shares that it gives to the side that it lets in, one after the other, when nothing interferes. */
    static final List<Integer> ASKED = List.of(0, 10, 100, 50);

    static String[] flags(OrderDesk desk, Path directory) throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "0123456789abcdef0123456789abcdef");
        return new String[] {"--webhook", desk.url().toString(), "--webhook-secret-file", secret.toString()};
    }

    void start(Api api, String hold) {
        assertThat(api.post("/api/v1/releases", document(hold)).status()).isEqualTo(201);
        assertThat(command(api, "start", "{}").status()).isEqualTo(200);
    }

    private String document(String hold) {
        return """
                {"strategy":"blue-green","id":"%s","channel":"%s","version":"%s","deployer":"webhook",
                 "waits":{"grace":"0s","quiet":"1s","spread":"0s"},
                 "plan":{"stages":[{"percent":10,"hold":"%s"},{"percent":100,"hold":"%s"}]},
                 "guard":{"minSamples":5,"maxErrorRate":0.5,"maxP99":"900ms","baseline":"off"},
                 "green":[{"percent":50,"hold":"%s"}],"why":"pricing"}""".formatted(id, channel, version, hold, hold, hold);
    }

    /** Lets it on when it waits for a human, which is safe to say again. @return whether it is over and went well */
    boolean letOn(Api api) {
        JsonNode view = view(api);
        if (waitsForHuman(view)) {
            command(api, "promote", promotion(view));
        }
        return phase(view).equals("completed");
    }

    static boolean waitsForHuman(JsonNode view) {
        return phase(view).equals("verifying") || phase(view).equals("confirming");
    }

    /** Of what was seen, and nothing else. */
    static String promotion(JsonNode view) {
        return "{\"why\":\"well\",\"step\":" + view.path("step").asLong() + ",\"phase\":\"" + phase(view) + "\"}";
    }

    Api.Answer command(Api api, String command, String body) {
        return api.post("/api/v1/releases/" + id + "/" + command, body);
    }

    JsonNode view(Api api) {
        return api.get("/api/v1/releases/" + id).body();
    }

    static String phase(JsonNode view) {
        return view.path("phase").asString();
    }

    /** The key of an order of this release when it is given for the first time. */
    String key(String word) {
        return id + "/" + word + "/1";
    }

    /** That it went as one that nothing interferes with, by its report and by what its deployer got. */
    void assertUndisturbed(Api api, OrderDesk desk) {
        JsonNode report = api.get("/api/v1/releases/" + id + "/report").body();
        assertThat(report.path("outcome").asString()).isEqualTo("completed");
        assertThat(report.path("stages"))
                .extracting(stage -> stage.path("askedPercent").asInt())
                .containsExactlyElementsOf(ASKED);
        assertThat(desk.keys().stream().filter(key -> key.startsWith(id + "/")))
                .containsExactly(key("deploy-blue"), key("deploy-green"));
        assertThat(desk.keys()).allSatisfy(key -> assertThat(desk.bodies(key)).isEqualTo(1));
    }
}
