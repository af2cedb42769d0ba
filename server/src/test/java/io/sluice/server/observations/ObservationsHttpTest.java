package io.sluice.server.observations;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Api;
import io.sluice.server.LocalServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ObservationsHttpTest {
    private final Api api = LocalServer.api();
    private final Api process = api.withToken("");
    private final String id = LocalServer.name("seen");

    @BeforeEach
    void started() {
        api.post("/api/v1/releases", Api.release(id, id, "10m"));
        api.post("/api/v1/releases/" + id + "/start", "{}");
    }

    @Test
    void aBatchIsTakenWithoutATokenAndShown() {
        String batch = Api.batch(id, 1, id, 1, "canary", 50, 1);

        assertThat(process.post("/api/v1/observations", batch).status()).isEqualTo(204);
        assertThat(process.post("/api/v1/observations", batch).status()).isEqualTo(204);

        JsonNode lanes = api.get("/api/v1/releases/" + id + "/lanes?seconds=60").body();
        assertThat(lanes.path("totals"))
                .hasToString("[{\"service\":\"" + id
                        + "\",\"lane\":\"canary\",\"count\":50,\"failed\":1,\"p99Millis\":11}]");
        assertThat(lanes.path("services")
                        .get(0)
                        .path("points")
                        .get(0)
                        .path("count")
                        .asLong())
                .isEqualTo(50);
        assertThat(api.get("/api/v1/instances").body().toString()).contains("\"instance\":\"" + id + "@here\"");
    }

    @Test
    void whatIsUnknownIsTakenForNothing() {
        assertThat(process.post("/api/v1/observations", Api.batch(id, 1, "nobody", 1, "canary", 5, 0))
                        .status())
                .isEqualTo(204);
        assertThat(process.post("/api/v1/observations", Api.batch(id, 2, id, 7, "canary", 5, 0))
                        .status())
                .isEqualTo(204);

        assertThat(api.get("/api/v1/releases/" + id + "/lanes").body().path("totals"))
                .isEmpty();
    }

    @Test
    void numbersThatContradictEachOtherAreRefused() {
        String batch = Api.batch(id, 1, id, 1, "canary", 5, 6);

        Api.Answer answer = process.post("/api/v1/observations", batch);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().path("problems").get(0).path("path").asString())
                .isEqualTo("entries[0].failed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "601", "-1", "x", "1e2"})
    void theSeriesIsAsLongAsItIs(String seconds) {
        Api.Answer answer = api.get("/api/v1/releases/" + id + "/lanes?seconds=" + seconds);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().path("problems").get(0).path("path").asString())
                .isEqualTo("seconds");
    }
}
