package io.sluice.server.releases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.server.Api;
import io.sluice.server.Api.Answer;
import io.sluice.server.LocalServer;
import io.sluice.testing.Requirement;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ReleasesHttpTest {
    private final Api api = LocalServer.api();
    private final String id = LocalServer.name("release");
    private final String service = LocalServer.name("service");

    @Test
    void aReleaseIsCreatedAndShown() {
        Answer created = api.post("/api/v1/releases", Api.release(id, service, "10m"));

        assertThat(created.status()).isEqualTo(201);
        assertThat(created.body().path("phase").asString()).isEqualTo("draft");
        assertThat(created.body().path("allowedCommands")).hasToString("[\"start\",\"abort\"]");
        assertThat(api.get("/api/v1/releases/" + id).body()).isEqualTo(created.body());
        assertThat(api.get("/api/v1/releases").body().path("releases")).first().isEqualTo(created.body());
    }

    @Test
    @Requirement("C8")
    void everyCommandIsCarriedOutAndWrittenDown() {
        create();

        List<String> phases = Stream.of("start", "pause", "resume", "promote", "back", "abort")
                .map(command -> command(command, "because").body().path("phase").asString())
                .toList();

        assertThat(phases).containsExactly("ramping", "paused", "ramping", "ramping", "paused", "aborted");
        List<JsonNode> entries = journal();
        assertThat(entries)
                .extracting(entry -> entry.path("actor").asString())
                .filteredOn("setup"::equals)
                .hasSize(7);
        assertThat(entries)
                .extracting(entry -> entry.path("action").asString())
                .contains("create", "start", "pause", "resume", "promote", "back", "abort");
        assertThat(entries.get(entries.size() - 1).path("why").asString()).isEqualTo("because");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pause", "promote", "back", "abort"})
    void aCommandThatHoldsUpOrSpeedsUpNeedsAReason(String command) {
        create();
        command("start", "");

        Answer refused = api.post("/api/v1/releases/" + id + "/" + command, "{}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body().path("problems").get(0).path("path").asString())
                .isEqualTo("why");
    }

    @Test
    void aReasonThatWouldActInATerminalIsRefused() {
        create();

        Answer refused = command("abort", "all is well\\u001b[2J\\r\\nX-Admin: 1");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body().toString()).doesNotContain("\\u001b[2J\"");
    }

    @Test
    void aReasonWithHalfACharacterIsRefused() {
        create();

        assertThat(command("abort", "half \\ud83d").status()).isEqualTo(400);
        assertThat(command("abort", "whole \\ud83d\\ude00").status()).isEqualTo(200);
    }

    @Test
    void aCommandThatDoesNotFitIsRefused() {
        create();

        Answer refused = command("promote", "now");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body().path("detail").asString()).contains("cannot promote a release that is draft");
    }

    @Test
    @Requirement("F21")
    void aCommandForAnotherStepIsRefusedUnlessItAborts() {
        create();
        command("start", "");

        Answer promoted = api.post("/api/v1/releases/" + id + "/promote", "{\"why\":\"now\",\"step\":0}");
        Answer aborted = api.post("/api/v1/releases/" + id + "/abort", "{\"why\":\"now\",\"step\":0}");

        assertThat(promoted.status()).isEqualTo(409);
        assertThat(aborted.status()).isEqualTo(200);
    }

    @Test
    void whatIsUnknownIsNotFound() {
        assertThat(api.get("/api/v1/releases/nobody").status()).isEqualTo(404);
        assertThat(api.get("/api/v1/releases/nobody/report").status()).isEqualTo(404);
        assertThat(api.get("/api/v1/releases/nobody/journal").status()).isEqualTo(404);
        assertThat(api.get("/api/v1/releases/nobody/lanes").status()).isEqualTo(404);
        assertThat(api.post("/api/v1/releases/nobody/abort", "{\"why\":\"x\"}").status())
                .isEqualTo(404);
        create();
        assertThat(command("destroy", "x").status()).isEqualTo(404);
    }

    @Test
    void aServiceIsInOneReleaseAtATime() {
        create();

        Answer second = api.post("/api/v1/releases", Api.release(LocalServer.name("other"), service, "10m"));

        assertThat(second.status()).isEqualTo(409);
        assertThat(second.body().path("detail").asString())
                .isEqualTo(
                        "service " + service + " is in release " + id + " already; complete or abort that one first");
    }

    @Test
    void anIdIsUsedOnce() {
        create();
        command("abort", "never mind");

        Answer second = api.post("/api/v1/releases", Api.release(id, service, "10m"));

        assertThat(second.status()).isEqualTo(409);
        assertThat(second.body().path("detail").asString()).contains("an id is used once");
    }

    @Test
    @Requirement({"F31", "F21"})
    void manyAbortsAtOnceAreOne() throws Exception {
        create();
        command("start", "");
        ExecutorService operators = Executors.newFixedThreadPool(100);

        List<Callable<Answer>> aborts = Stream.generate(() -> (Callable<Answer>) () -> command("abort", "stop"))
                .limit(100)
                .toList();
        List<Future<Answer>> answers = operators.invokeAll(aborts);

        operators.shutdown();
        for (Future<Answer> answer : answers) {
            assertThat(answer.get().status()).isEqualTo(200);
            assertThat(answer.get().body().path("phase").asString()).isEqualTo("aborted");
        }
        assertThat(journal())
                .filteredOn(entry -> entry.path("action").asString().equals("abort"))
                .hasSize(1);
        assertThat(answers.get(0).get().body().path("revision"))
                .isEqualTo(answers.get(99).get().body().path("revision"));
    }

    @Test
    @Requirement({"B3", "F24"})
    void aBadCanaryIsTakenBackWithTheNumbersOnRecord() {
        create();
        command("start", "");

        api.post("/api/v1/observations", Api.batch(service, 1, id, 1, "canary", 100, 6));

        await().until(() -> phase().equals("aborted"));
        JsonNode view = api.get("/api/v1/releases/" + id).body();
        assertThat(view.path("why").asString()).isEqualTo(service + ": error_rate=0.0600>0.0200");
        assertThat(view.path("verdict").path("health").asString()).isEqualTo("BREACH");
        assertThat(view.path("verdict").path("samples").asLong()).isEqualTo(100);
        JsonNode report = api.get("/api/v1/releases/" + id + "/report").body();
        assertThat(report.path("outcome").asString()).isEqualTo("aborted");
        assertThat(report.path("stages")).hasSize(1);
        assertThat(report.path("stages").get(0).path("verdict").path("failures").asLong())
                .isEqualTo(6);
        assertThat(report.path("stages").get(0).path("failed").asLong()).isEqualTo(6);
        // What is saved is seen before what follows from it is published.
        await().until(() ->
                api.get("/api/v1/rules").body().toString().contains("\"aborted\":\"" + service + ": error_rate"));
    }

    @Test
    void aGoodCanaryGoesThroughEveryStage() {
        api.post("/api/v1/releases", Api.release(id, service, "300ms"));
        command("start", "");

        report("gateway-of-" + id, 1, 10, 90);
        report(service, 1, 100, 900);
        await().until(() -> step() == 2);
        report("gateway-of-" + id, 2, 50, 0);
        report(service, 2, 50, 0);
        await().until(() -> phase().equals("completed"));

        JsonNode report = api.get("/api/v1/releases/" + id + "/report").body();
        assertThat(report.path("outcome").asString()).isEqualTo("completed");
        JsonNode first = report.path("stages").get(0);
        assertThat(first.path("canary").asLong()).isEqualTo(10);
        assertThat(first.path("stable").asLong()).isEqualTo(90);
        assertThat(first.path("achievedPercent").asDouble()).isEqualTo(10);
        assertThat(first.path("errorPp").asDouble()).isZero();
        assertThat(first.path("watchedMillis").asLong()).isGreaterThanOrEqualTo(300);
        assertThat(first.has("leftAt")).isTrue();
        assertThat(report.path("stages").get(1).path("achievedPercent").asDouble())
                .isEqualTo(100);
    }

    @Test
    @Requirement("F7")
    void aCanaryWaitsForAProcessThatCannotUseTheRulesAndNamesIt() {
        Api process = api.withToken("");
        String instance = LocalServer.name("gateway") + "@here";
        assertThat(process.post("/api/v1/workloads", workload(instance, "releases[0].match was fuzzy", false))
                        .status())
                .isEqualTo(204);
        try {
            api.post("/api/v1/releases", Api.release(id, service, "300ms"));
            command("start", "");
            report(service, 1, 100, 900);

            await().until(() -> api.get("/api/v1/releases/" + id)
                    .body()
                    .path("verdict")
                    .path("reason")
                    .asString()
                    .equals("rules_refused by " + instance));
            await().until(() ->
                    api.get("/api/v1/releases/" + id).body().path("heldMillis").asLong() > 600);
            assertThat(step()).isEqualTo(1);

            process.post("/api/v1/workloads", workload(instance, "", false));
            await().until(() -> step() == 2);
        } finally {
            process.post("/api/v1/workloads", workload(instance, "", true));
        }
    }

    private static String workload(String instance, String refusal, boolean leaving) {
        return """
                {"service":"gateway","instance":"%s","version":"v1","ready":true,"registered":true,"requests":0,
                 "underWay":0,"crossed":0,"epoch":1,"revision":1,"refusal":"%s","leaving":%s}
                """.formatted(instance, refusal, leaving);
    }

    static Stream<Arguments> badPercents() {
        return Stream.of(
                        "NaN", "\"NaN\"", "Infinity", "-1", "101", "2147483648", "1e999", "null", "\"\"", "0.001", "[]")
                .map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("badPercents")
    void aPercentThatIsNoneIsRefusedByItsName(String percent) {
        String body = Api.release(id, service, "1s").replace("\"percent\":10,", "\"percent\":" + percent + ",");

        assertRefused(body, "plan.stages[0].percent");
    }

    @Test
    void aMissingPercentIsRefusedByItsName() {
        assertRefused(Api.release(id, service, "1s").replace("\"percent\":10,", ""), "plan.stages[0].percent");
    }

    static Stream<Arguments> badDocuments() {
        String good = Api.release("bad", "bad", "1s").strip();
        return Stream.of(
                Arguments.of("a nesting of 5,000", "[".repeat(5000) + "]".repeat(5000)),
                Arguments.of(
                        "a duplicate key", good.replace("\"version\":\"v2\"", "\"version\":\"v2\",\"version\":\"v3\"")),
                Arguments.of("an unknown field", good.replace("\"version\"", "\"phase\":\"completed\",\"version\"")),
                Arguments.of("trailing garbage", good + "x"),
                Arguments.of("a byte order mark", "\ufeff" + good),
                Arguments.of("a number of 100,000 digits", good.replace("10,", "1".repeat(100_000) + ",")),
                Arguments.of("nothing", ""),
                Arguments.of("a list", "[]"),
                Arguments.of("an id that is a path", good.replace("\"id\":\"bad\"", "\"id\":\"../../etc/passwd\"")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badDocuments")
    void aDocumentThatIsNoneIsRefused(String name, String body) {
        Answer answer = api.post("/api/v1/releases", body);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.raw().headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(answer.body().path("problems")).isNotEmpty();
        assertThat(answer.body().toString()).doesNotContain("Exception").doesNotContain("tools.jackson");
    }

    @Test
    void allProblemsAreNamedAtOnce() {
        Answer answer = api.post("/api/v1/releases", "{\"id\":\"UPPER\",\"services\":[],\"guard\":{\"minSamples\":0}}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().path("problems"))
                .extracting(problem -> problem.path("path").asString())
                .contains("id", "version", "guard.maxErrorRate", "guard.maxP99");
    }

    @Test
    void anotherMediaTypeIsRefused() {
        Answer answer = api.send(api.request("/api/v1/releases")
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString("{}")));

        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.body().path("status").asInt()).isEqualTo(415);
    }

    @Test
    void aBodyThatSaysItIsTooLargeIsRefusedUnread() throws Exception {
        try (Socket socket = new Socket("127.0.0.1", api.server().getPort())) {
            socket.setSoTimeout(60_000);
            OutputStream out = socket.getOutputStream();
            out.write(("POST /api/v1/releases HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            + "Authorization: Bearer " + api.token() + "\r\nContent-Length: 52428800\r\n\r\n{\"id\":\"")
                    .getBytes(StandardCharsets.US_ASCII));
            out.flush();

            assertThat(firstLine(socket.getInputStream())).startsWith("HTTP/1.1 413");
        }
    }

    @Test
    void aBodyThatTurnsOutTooLargeIsRefused() {
        byte[] large = new byte[(1 << 20) + 1];

        Answer answer = api.send(api.request("/api/v1/releases")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream(large))));

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.body().path("detail").asString()).contains("1048576 bytes");
    }

    private static String firstLine(InputStream in) throws java.io.IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\r'; c = in.read()) {
            line.append((char) c);
        }
        return line.toString();
    }

    private void assertRefused(String body, String path) {
        Answer answer = api.post("/api/v1/releases", body);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().path("problems"))
                .extracting(problem -> problem.path("path").asString())
                .contains(path);
        assertThat(api.get("/api/v1/releases/" + id).status()).isEqualTo(404);
    }

    private void report(String reporter, long step, long canary, long stable) {
        api.post("/api/v1/observations", Api.batch(reporter, 2 * step, id, step, "canary", canary, 0));
        if (stable > 0) {
            api.post("/api/v1/observations", Api.batch(reporter, 2 * step + 1, id, step, "stable", stable, 0));
        }
    }

    private void create() {
        assertThat(api.post("/api/v1/releases", Api.release(id, service, "10m")).status())
                .isEqualTo(201);
    }

    private Answer command(String command, String why) {
        return api.post("/api/v1/releases/" + id + "/" + command, "{\"why\":\"" + why + "\"}");
    }

    private String phase() {
        return api.get("/api/v1/releases/" + id).body().path("phase").asString();
    }

    private long step() {
        return api.get("/api/v1/releases/" + id).body().path("step").asLong();
    }

    private List<JsonNode> journal() {
        return api.get("/api/v1/releases/" + id + "/journal")
                .body()
                .path("entries")
                .valueStream()
                .toList();
    }
}
