package io.sluice.server.observations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.server.Api;
import io.sluice.server.LocalServer;
import io.sluice.testing.Requirement;
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
    @ValueSource(
            strings = {"-1", "-9223372036854775808", "9007199254740993", "9223372036854775808", "1e300", "\"5\"", "0.5"
            })
    void aNumberOfRequestsThatCannotBeIsRefusedAndNothingCounted(String count) {
        String good = "{\"release\":\"" + id
                + "\",\"step\":1,\"lane\":\"canary\",\"count\":7,\"failed\":0,\"slow\":0,\"latencies\":{\"300\":7}},";
        String batch = Api.batch(id, 1, id, 1, "canary", 5, 0)
                .replace("\"count\":5", "\"count\":" + count)
                .replace("\"entries\":[", "\"entries\":[" + good);

        Api.Answer answer = process.post("/api/v1/observations", batch);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().path("problems").get(0).path("path").asString())
                .isEqualTo("entries[1].count");
        assertThat(api.get("/api/v1/releases/" + id + "/lanes").body().path("totals"))
                .isEmpty();
        assertThat(process.post("/api/v1/observations", Api.batch(id, 1, id, 1, "canary", 5, 0))
                        .status())
                .isEqualTo(204);
        assertThat(api.get("/api/v1/releases/" + id + "/lanes")
                        .body()
                        .path("totals")
                        .get(0)
                        .path("count")
                        .asLong())
                .isEqualTo(5);
    }

    @Test
    @Requirement("F28")
    void whatTheStageBeforeSawAbortsNothing() {
        api.post("/api/v1/releases/" + id + "/promote", "{\"why\":\"next\"}");

        process.post("/api/v1/observations", Api.batch(id, 1, id, 1, "canary", 500, 500));
        process.post("/api/v1/observations", Api.batch(id, 2, id, 2, "canary", 20, 0));
        await().until(() -> samples() == 20);
        process.post("/api/v1/observations", Api.batch(id, 3, id, 1, "canary", 500, 500));
        process.post("/api/v1/observations", Api.batch(id, 4, id, 2, "canary", 20, 0));
        await().until(() -> samples() == 40);
        assertThat(view().path("phase").asString()).isEqualTo("ramping");

        process.post("/api/v1/observations", Api.batch(id, 5, id, 2, "canary", 20, 20));
        await().until(() -> view().path("phase").asString().equals("aborted"));
    }

    @Test
    @Requirement("F27")
    void aReporterOfNonsenseHindersNobodyElse() {
        String other = LocalServer.name("good");
        api.post("/api/v1/releases", Api.release(other, other, "10m"));
        api.post("/api/v1/releases/" + other + "/start", "{}");

        for (int i = 1; i <= 20; i++) {
            process.post("/api/v1/observations", "{" + "x".repeat(1000 * i));
            process.post("/api/v1/observations", Api.batch(id, i, id, 1, "canary", 5, 6));
            process.post("/api/v1/observations", Api.batch(other, i, other, 1, "canary", 1, 0));
        }

        await().until(() -> samples(other) == 20);
        assertThat(samples()).isZero();
    }

    @Test
    @Requirement({"B3", "C10"})
    void whatEachMetricSaysIsShownLiveAndInTheReport() {
        process.post("/api/v1/observations", Api.batch(id, 1, id, 1, "canary", 20, 0));
        process.post("/api/v1/observations", Api.batch(id, 2, id, 1, "stable", 180, 0));
        await().until(() -> samples() == 20
                && view().path("verdict").path("reason").asString().equals("healthy"));

        JsonNode findings = view().path("verdict").path("findings");
        assertThat(findings)
                .extracting(finding -> finding.path("metric").asString())
                .containsExactly("errors", "slow", "slower_p50", "slower_p90", "slower_p99", "sample_ratio");
        assertThat(findings.get(0).path("reporter").asString()).isEqualTo(id);
        assertThat(findings.get(0).path("critical").asBoolean()).isTrue();
        assertThat(findings.get(0).path("health").asString()).isEqualTo("HEALTHY");
        assertThat(findings.get(0).path("value").asDouble()).isBetween(0.49, 0.51);
        assertThat(findings.get(0).path("limit").asDouble()).isGreaterThan(100);
        assertThat(findings.get(0).propertyNames()).contains("reason", "canary", "canaryBad", "stable", "stableBad");

        JsonNode stage = report();
        assertThat(stage.path("evidence"))
                .extracting(evidence -> evidence.path("metric").asString())
                .containsExactly("errors", "slow", "slower_p50", "slower_p90", "slower_p99", "sample_ratio");
        JsonNode errors = stage.path("evidence").get(0);
        assertThat(errors.path("points").get(0).get(0).asLong()).isZero();
        assertThat(errors.path("points").get(0).get(1).asDouble()).isEqualTo(0.5);
        assertThat(errors.propertyNames())
                .containsExactly(
                        "reporter",
                        "metric",
                        "critical",
                        "limit",
                        "canary",
                        "canaryBad",
                        "stable",
                        "stableBad",
                        "value",
                        "points");
        assertThat(stage.path("verdict").path("findings")).hasSize(6);
        assertThat(api.get("/api/v1/releases/" + id + "/journal").body().toString())
                .contains("\"reason\":\"healthy\"")
                .doesNotContain("findings");
        assertThat(api.get("/api/v1/audit/verify").body().path("whole").asBoolean())
                .isTrue();

        api.post("/api/v1/releases/" + id + "/abort", "{\"why\":\"enough\"}");
        assertThat(report().path("evidence")).hasSize(6);
    }

    private JsonNode report() {
        return api.get("/api/v1/releases/" + id + "/report")
                .body()
                .path("stages")
                .get(0);
    }

    private JsonNode view() {
        return api.get("/api/v1/releases/" + id).body();
    }

    private long samples() {
        return samples(id);
    }

    private long samples(String release) {
        return api.get("/api/v1/releases/" + release)
                .body()
                .path("verdict")
                .path("samples")
                .asLong();
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
