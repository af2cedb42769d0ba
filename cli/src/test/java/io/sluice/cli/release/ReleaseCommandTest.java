package io.sluice.cli.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Ran;
import io.sluice.cli.release.FakeServer.Asked;
import io.sluice.testing.Requirement;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Requirement("C8")
class ReleaseCommandTest {
    private static final String REQUEST = """
            {"id":"r1","version":"v2","services":["order"],"plan":{"hold":"5s"},
             "guard":{"minSamples":100,"maxErrorRate":"2%","maxP99":"300ms"}}
            """;
    private static final String VIEW = "{\"id\":\"r1\",\"phase\":\"ramping\",\"percent\":0.5,\"step\":3}";

    private FakeServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void createSendsTheCheckedRequestWithTheToken() {
        server.answers(201, "application/json", VIEW);

        Ran ran = asked(REQUEST, "release", "create", "-", "--why", "因为");

        assertThat(ran).isEqualTo(Ran.printed(VIEW));
        Asked sent = server.asked().get(0);
        assertThat(sent.method() + " " + sent.path()).isEqualTo("POST /api/v1/releases");
        assertThat(sent.authorization()).isEqualTo("Bearer secret-token");
        assertThat(sent.body()).contains("\"id\":\"r1\"", "\"hold\":\"5s\"", "\"why\":\"因为\"");
    }

    @Test
    void createRefusesABadFileWithoutAskingTheServer() {
        Ran ran = asked(
                REQUEST.replace("\"300ms\"", "\"300\"").replace("\"v2\"", "\"stable\""), "release", "create", "-");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err().lines()).hasSize(2).anyMatch(line -> line.startsWith("guard.maxP99 was 300, but must"));
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void listPrintsOneReleaseALine() {
        server.answers(200, "application/json", "{\"releases\":[\n " + VIEW + ",\n {\"id\":\"r2\"}]}");

        assertThat(asked("", "release", "list")).isEqualTo(Ran.printed(VIEW, "{\"id\":\"r2\"}"));
    }

    @Test
    void showPrintsTheReleaseOnOneLine() {
        server.answers(200, "application/json", "{ \"id\": \"r1\",\n \"percent\": 0.50 }");

        Ran ran = asked("", "release", "show", "r1");

        assertThat(ran.out().lines()).hasSize(1);
        assertThat(server.asked()).containsExactly(new Asked("GET", "/api/v1/releases/r1", "Bearer secret-token", ""));
    }

    private static final String HOLDING = """
            {"id":"r1","phase":"ramping","stage":1,"percent":5,"heldMillis":40321,"holdMillis":60000,"stepBacks":0,
             "plan":{"stages":[{"percent":1,"hold":"1m"},{"percent":5,"hold":"1m"},{"percent":100,"hold":"1m"}],
                     "pace":"time"},
             "guard":{"minSamples":30,"maxErrorRate":0.02},
             "verdict":{"health":"HOLD","reason":"insufficient_samples","service":"order","samples":17}}
            """;

    static Stream<Arguments> lines() {
        String start = "r1: ramping 5%, stage 2 of 3, held 40s of 1m; HOLD order: insufficient_samples, ";
        return Stream.of(
                Arguments.of(HOLDING, start + "17 of 30 samples"),
                Arguments.of(
                        HOLDING.replace("\"percent\":5,\"hold\"", "\"samples\":500,\"hold\""),
                        start + "17 of 500 samples"),
                Arguments.of(HOLDING.replace("\"time\"", "\"evidence\""), start + "17 of 178 samples"),
                Arguments.of(
                        HOLDING.replace("\"time\"", "\"evidence\"").replace("\"samples\":17", "\"samples\":600"),
                        start + "600 samples, of which 178 without failures would do"),
                Arguments.of(
                        HOLDING.replace("40321", "66500"),
                        "r1: ramping 5%, stage 2 of 3, on hold 6s beyond its 1m"
                                + "; HOLD order: insufficient_samples, 17 of 30 samples"),
                Arguments.of(
                        HOLDING.replace("40321", "3725000").replace("60000", "3700000"),
                        "r1: ramping 5%, stage 2 of 3, on hold 25s beyond its 1h 1m; HOLD order: insufficient_samples,"
                                + " 17 of 30 samples"),
                Arguments.of(
                        HOLDING.replace("40321", "65300").replace("60000", "90000"),
                        "r1: ramping 5%, stage 2 of 3, held 1m 5s of 1m 30s; HOLD order: insufficient_samples, 17 of 30"
                                + " samples"),
                Arguments.of("{\"id\":\"r1\",\"phase\":\"draft\",\"percent\":0,\"stepBacks\":0}", "r1: draft 0%"),
                Arguments.of(
                        "{\"id\":\"r1\",\"phase\":\"aborted\",\"percent\":0,\"why\":\"a\\u001b[2Jb\",\"stepBacks\":2,"
                                + "\"verdict\":{\"health\":\"BREACH\",\"reason\":\"p99=9ms>1ms\",\"service\":\"\"}}",
                        "r1: aborted 0%, 2 steps back: a\\u001b[2Jb; BREACH p99=9ms>1ms"),
                Arguments.of(
                        "{\"id\":\"r1\",\"phase\":\"aborted\",\"percent\":0,\"why\":\"c: p99=893ms>500ms\","
                                + "\"verdict\":{\"health\":\"BREACH\",\"reason\":\"p99=893ms>500ms\",\"service\":\"c\"}}",
                        "r1: aborted 0%; BREACH c: p99=893ms>500ms"),
                Arguments.of(
                        holding("sample_ratio_mismatch")
                                .replace(
                                        "\"percent\":5,\"held",
                                        "\"why\":\"on hold for 30m: order:"
                                                + " sample_ratio_mismatch\",\"percent\":5,\"held"),
                        "r1: ramping 5%, stage 2 of 3, held 40s of 1m: on hold for 30m; HOLD order:"
                                + " sample_ratio_mismatch, canary has 3575 of 12000 customers, 29.79% where 1% is asked"),
                Arguments.of(
                        holding("source_error").replace("\"service\":\"order\"", "\"service\":\"metrics\""),
                        "r1: ramping 5%, stage 2 of 3, held 40s of 1m; HOLD metrics: source_error, lag: no metric source"
                                + " is configured: start the server with --prometheus URL"),
                Arguments.of(
                        holding("no_baseline"),
                        "r1: ramping 5%, stage 2 of 3, held 40s of 1m; HOLD order: no_baseline, no stable traffic to"
                                + " compare with"),
                Arguments.of(
                        holding("data_stopped"),
                        "r1: ramping 5%, stage 2 of 3, held 40s of 1m; HOLD order: data_stopped"));
    }

    /** Beside the finding that decided stand others that did not. */
    private static String holding(String reason) {
        return HOLDING.replace("insufficient_samples", reason).replace("\"samples\":17", """
                "findings":[
                  {"reporter":"user","metric":"sample_ratio","critical":true,"health":"HOLD","reason":"another's"},
                  {"reporter":"order","metric":"errors","critical":true,"health":"HEALTHY","reason":"fine"},
                  {"reporter":"prometheus","metric":"shown","critical":false,"health":"HOLD","reason":"only shown"},
                  {"reporter":"order","metric":"sample_ratio","critical":true,"health":"HOLD",
                   "reason":"canary has 3575 of 12000 customers, 29.79% where 1% is asked"},
                  {"reporter":"prometheus","metric":"lag","critical":true,"health":"HOLD",
                   "reason":"no metric source is configured: start the server with --prometheus URL"}]""");
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("lines")
    void aReleaseIsToldInALineForPeople(String view, String line) {
        server.answers(200, "application/json", view);

        assertThat(asked("", "release", "show", "r1", "--format", "text")).isEqualTo(Ran.printed(line));
    }

    @Test
    @Requirement("F22")
    void anAbortNamesWhomItHasNotReached() {
        server.answers(200, "application/json", """
                {"id":"r1","strategy":"canary","phase":"aborted","percent":0,"why":"slow",
                 "unapplied":["order@10.0.0.7:8080","order@10.0.0.8:8080"],"unreached":["order@10.0.0.7:8080\\u001b[2J"]}
                """);

        assertThat(asked("", "release", "abort", "r1", "--why=slow", "--format", "text"))
                .isEqualTo(Ran.printed(
                        "r1: aborted 0%: slow",
                        "  abort not complete: 2 processes are not known to have applied it: order@10.0.0.7:8080,"
                                + " order@10.0.0.8:8080",
                        "  unreached: order@10.0.0.7:8080\\u001b[2J"));
    }

    @Test
    @Requirement("F22")
    void whoIsAMomentBehindAnotherChangeIsNoNews() {
        server.answers(200, "application/json", """
                {"id":"r1","strategy":"canary","phase":"draft","percent":0,"unapplied":["order@10.0.0.7:8080"],"unreached":[]}
                """);

        assertThat(asked("", "release", "show", "r1", "--format", "text")).isEqualTo(Ran.printed("r1: draft 0%"));
    }

    @Test
    void releasesAreListedForPeopleInColumns() {
        server.answers(200, "application/json", "{\"releases\":[" + HOLDING + """
                ,{"id":"a-longer-name","phase":"aborted","percent":0,"why":"a\\u001b[2Jb","stepBacks":1}
                ,{"id":"r3","phase":"draft","percent":0}]}
                """);

        assertThat(asked("", "release", "list", "--format=text"))
                .isEqualTo(Ran.printed(
                        "RELEASE        STATE       STAGE   HELD            WHY",
                        "r1             ramping 5%  2 of 3  held 40s of 1m  HOLD order: insufficient_samples, 17 of 30"
                                + " samples",
                        "a-longer-name  aborted 0%          1 step back     a\\u001b[2Jb",
                        "r3             draft 0%"));
    }

    @Test
    void noReleasesAreListedAsNothing() {
        server.answers(200, "application/json", "{\"releases\":[]}");

        assertThat(asked("", "release", "list", "--format=text")).isEqualTo(new Ran(0, "", ""));
    }

    @Test
    void aReleaseIsToldInTwoFormats() {
        assertThat(asked("", "release", "list", "--format=xml"))
                .isEqualTo(Ran.refused("--format was xml, but must be json or text"));
    }

    @Test
    void everyProblemOfAFileIsListedTheOrderOfStagesToo() {
        String bad = REQUEST.replace(
                        "{\"hold\":\"5s\"}",
                        "{\"stages\":[{\"percent\":10,\"hold\":\"5s\"},"
                                + "{\"percent\":5,\"hold\":\"5s\"},{\"percent\":100,\"hold\":\"5s\"}]}")
                .replace("\"300ms\"", "\"300\"");

        Ran ran = asked(bad, "release", "create", "-");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err().lines())
                .containsExactlyInAnyOrder(
                        "plan.stages[1].percent was 5%, but must be more than the 10% before it",
                        "guard.maxP99 was 300, but must be a duration like 300ms, 10s, 5m, 1h or 2d, at most 10000d");
        assertThat(server.asked()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            start r1                        | /api/v1/releases/r1/start   | {}
            start r1 --why=go               | /api/v1/releases/r1/start   | {"why":"go"}
            pause r1 --why=lunch --step=3   | /api/v1/releases/r1/pause   | {"why":"lunch","step":3}
            resume r1                       | /api/v1/releases/r1/resume  | {}
            back r1 --why=odd               | /api/v1/releases/r1/back    | {"why":"odd"}
            abort r1 --why=bad              | /api/v1/releases/r1/abort   | {"why":"bad"}
            """)
    void steeringPostsTheReasonAndTheStep(String arguments, String path, String body) {
        server.answers(200, "application/json", VIEW);

        Ran ran = asked("", ("release " + arguments).split(" "));

        assertThat(ran).isEqualTo(Ran.printed(VIEW));
        assertThat(server.asked()).containsExactly(new Asked("POST", path, "Bearer secret-token", body));
    }

    @Test
    void promoteLooksFirstWhetherThereWillBeAWayBack() {
        server.answers(200, "application/json", VIEW);

        Ran ran = asked("", "release", "promote", "r1", "--why=fine");

        assertThat(ran).isEqualTo(Ran.printed(VIEW));
        assertThat(server.asked())
                .containsExactly(
                        new Asked("GET", "/api/v1/releases/r1", "Bearer secret-token", ""),
                        new Asked("POST", "/api/v1/releases/r1/promote", "Bearer secret-token", "{\"why\":\"fine\"}"));
    }

    @Test
    void everyBadArgumentIsNamedBeforeTheServerIsAsked() {
        Ran ran = Ran.with(
                Map.of("SLUICE_TOKEN", "a b"),
                new byte[0],
                "release",
                "abort",
                "../x",
                "--step=two",
                "--server=ftp://h");

        assertThat(ran)
                .isEqualTo(Ran.refused(
                        "ID was ../x, but must match [a-z0-9][a-z0-9._-]{0,63} (lower case)",
                        "--why was missing, but must say why, in at most 500 characters",
                        "--step was two, but must be a whole number",
                        "--server was ftp://h, but must be an address like http://127.0.0.1:7070",
                        "SLUICE_TOKEN was something else, but must be one word of ASCII characters"));
    }

    @Test
    void theServersProblemsArePrintedOneALine() {
        server.answers(409, "application/problem+json", """
                {"title":"Conflict","status":409,"detail":"d","problems":[
                  {"path":"step","was":"2","allowed":"must be 3"},{"path":"why","was":"x","allowed":"must be y"}]}
                """);

        assertThat(asked("", "release", "start", "r1"))
                .isEqualTo(Ran.refused("step was 2, but must be 3", "why was x, but must be y"));
    }

    @Test
    void aProblemWithoutAListIsPrintedWithItsDetail() {
        server.answers(
                404,
                "application/problem+json",
                "{\"title\":\"Not found\",\"status\":404,\"detail\":\"there is no release r1\u001b[2J\"}"
                        .replace("\u001b", "\\u001b"));

        assertThat(asked("", "release", "show", "r1"))
                .isEqualTo(Ran.refused("Not found: there is no release r1\\u001b[2J"));
    }

    @Test
    void aRefusedTokenIsExplainedAndNeverPrinted() {
        server.answers(401, "application/problem+json", "{\"title\":\"Unauthorized\",\"status\":401}");

        Ran refused = asked("", "release", "list");
        Ran missing = Ran.sluice("release", "list", "--server", server.url());

        assertThat(refused.err()).startsWith("SLUICE_TOKEN was not accepted, but must be a token of " + server.url());
        assertThat(missing.err()).startsWith("SLUICE_TOKEN was missing, but must be a token of " + server.url());
        assertThat(refused.err()).doesNotContain("secret-token");
    }

    @Test
    void somethingElseAtTheAddressIsNamed() {
        server.answers(200, "text/html", "<html>");

        assertThat(asked("", "release", "list"))
                .isEqualTo(Ran.refused("server " + server.url()
                        + " answered 200 with text/html, so it seems to be no Sluice server; set --server"));
    }

    @Test
    void aRedirectIsNotFollowedWithTheToken() {
        server.answers(302, "text/html", "elsewhere");

        assertThat(asked("", "release", "list").code()).isEqualTo(2);
        assertThat(server.asked()).hasSize(1);
    }

    @Test
    void anOutcomeThatIsUnknownIsCalledSo() {
        server.breaksOff();

        Ran ran = asked("", "release", "abort", "r1", "--why=bad");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err())
                .startsWith("server " + server.url() + " broke off: ")
                .endsWith("; it may have taken effect: look before you try again\n");
        assertThat(server.asked()).hasSize(1);
    }

    @Test
    void aServerThatIsNotThereIsNamed() throws IOException {
        int free;
        try (ServerSocket closedAtOnce = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = closedAtOnce.getLocalPort();
        }
        String url = "http://127.0.0.1:" + free;

        assertThat(Ran.sluice("release", "list", "--server", url))
                .isEqualTo(Ran.refused(
                        "server " + url + " did not answer: connection refused; is it running? set --server"));
    }

    @Test
    void theAddressMayComeFromTheEnvironment() {
        server.answers(200, "application/json", VIEW);

        Ran ran = Ran.with(Map.of("SLUICE_SERVER", server.url() + "/"), new byte[0], "release", "show", "r1");

        assertThat(ran).isEqualTo(Ran.printed(VIEW));
    }

    @Test
    @Requirement("C10")
    void aReportCanBeReadAsMarkdown() {
        server.answers(200, "application/json", """
                {"release":{"id":"r1","version":"v2","services":["order","user"],"salt":"r1","hash":"fnv1a-mixed",
                   "plan":{"stages":[{"percent":1,"hold":"10s"},{"percent":100,"hold":"1m","samples":500}],"pace":"time"},
                   "guard":{"minSamples":100,"maxErrorRate":0.02,"maxP99":"300ms","maxSilence":"30s",
                     "baseline":{"alpha":0.005,"critical":["errors"],"objective":"200ms"},
                     "metrics":[{"name":"lag","critical":true,"query":"q","max":5},
                       {"name":"5xx|all","critical":false,"bad":"b","total":"t"}],
                     "onBreach":"step-back","mostStepBacks":2,"holdLimit":"30m","onHold":"pause"},"why":"order: p99=512ms>300ms"},
                 "stages":[{"step":1,"percent":1,"enteredAt":"2026-10-01T08:00:00.123456Z","watchedMillis":10500,"canary":12,
                   "stable":988,"achievedPercent":1.2,"askedPercent":1,"errorPp":0.2,"failed":0,"p99Millis":512,
                   "verdict":{"health":"BREACH","reason":"p99=512ms>300ms","service":"order"}}],
                 "journal":[{"at":"2026-10-01T08:00:10Z","actor":"guard","action":"abort","why":"a|b\\nc",
                   "outcome":"aborted 0%"},
                  {"at":"2026-10-01T08:00:11.987Z","actor":"guard","action":"abort","why":"order: p99=512ms>300ms",
                   "outcome":"aborted 0%","verdict":{"health":"BREACH","reason":"p99=512ms>300ms","service":"order"}},
                  {"at":"2026-10-01T08:00:12Z","actor":"alice","action":"abort","why":"late",
                   "outcome":"aborted 0%","verdict":{"health":"HEALTHY","reason":"healthy","service":""}}],
                 "outcome":"aborted"}
                """);

        Ran ran = asked("", "release", "report", "r1", "--format=md");

        assertThat(ran)
                .isEqualTo(Ran.printed(
                        "# Release r1: aborted",
                        "",
                        "- Version v2 of order, user",
                        "- Salt `r1`, hash fnv1a-mixed",
                        "- Plan: 1 % for 10s → 100 % for 1m and 500 samples",
                        "- Pace: time",
                        "- Limits: at least 100 samples, error rate 2 %, P99 300ms, silence 30s",
                        "- Window: the whole stage",
                        "- Against stable: alpha 0.5 %, the chance of a false alarm in the whole release; critical:"
                                + " errors; objective 200ms",
                        "- Metrics: lag (critical, at most 5), 5xx\\|all (shown, against stable)",
                        "- On a breach: step-back, at most 2 times, then abort",
                        "- On hold: pause after 30m beyond the hold time",
                        "- Reason: order: p99=512ms>300ms",
                        "",
                        "## Stages",
                        "",
                        "| Asked % | Achieved % | Error pp | Canary | Stable | Failed | P99 ms | Watched | Entered |"
                                + " Verdict |",
                        "| --: | --: | --: | --: | --: | --: | --: | --: | --- | --- |",
                        "| 1 | 1.20 | 0.20 | 12 | 988 | 0 | 512 | 10.5 s | 2026-10-01 08:00:00 UTC | BREACH order:"
                                + " p99=512ms>300ms |",
                        "",
                        "## Journal",
                        "",
                        "| At | Who | Action | Why | Outcome | Verdict |",
                        "| --- | --- | --- | --- | --- | --- |",
                        "| 2026-10-01 08:00:10 UTC | guard | abort | a\\|b c | aborted 0% |  |",
                        "| 2026-10-01 08:00:11 UTC | guard | abort | order: p99=512ms>300ms | aborted 0% | BREACH |",
                        "| 2026-10-01 08:00:12 UTC | alice | abort | late | aborted 0% | HEALTHY |"));
    }

    @Test
    @Requirement("C10")
    void markdownHasTheFindingsWithTheirEvidence() {
        server.answers(200, "application/json", """
                {"release":{"id":"r1"},"outcome":"aborted","stages":[{"step":1,"percent":1,
                  "verdict":{"health":"BREACH","reason":"errors=x5 of stable","findings":[
                    {"reporter":"order","metric":"errors","critical":true,"health":"BREACH","canary":100,"canaryBad":9,
                     "stable":9900,"stableBad":90,"value":1e300,"limit":3000}]},
                  "evidence":[
                    {"reporter":"order","metric":"errors","critical":true,"limit":3000,"canary":120,"canaryBad":9,
                     "stable":9990,"stableBad":91,"value":4.0,"points":[[1,0.5]]},
                    {"reporter":"a|b","metric":"sample_ratio","critical":true,"limit":3000,"canary":1,"canaryBad":0,
                     "stable":99,"stableBad":0,"value":1,"points":[]},
                    {"reporter":"a|b","metric":"slower_p99","critical":false,"limit":3000,"canary":100,"canaryBad":1,
                     "stable":9900,"stableBad":99,"value":0.00001,"points":[]}]}]}
                """);

        Ran ran = asked("", "release", "report", "r1", "--format=md");

        assertThat(ran.out().lines())
                .containsSubsequence(
                        "## Findings",
                        "",
                        "| Stage | Asked % | Seen by | Metric | Canary: bad of all | Stable: bad of all | Evidence |"
                                + " Limit | Counts | Health |",
                        "| --: | --: | --- | --- | --: | --: | --: | --: | --- | --- |",
                        "| 1 | 1 | order | errors | 9 of 100 | 90 of 9,900 | > 1,000,000 | 3,000 | critical | BREACH |",
                        "| 1 | 1 | a\\|b | slower_p99 | 1 of 100 | 99 of 9,900 | &lt; 0.001 | 3,000 | shown |  |",
                        "| 1 | 1 | a\\|b | sample_ratio | 1 customer | 99 customers | 1 | 3,000 | critical |  |",
                        "",
                        "Bad of all are customers for errors and slow, and requests for slower_p50, slower_p90 and"
                                + " slower_p99. Counts are of closed ticks: what came in a tick that is still open is"
                                + " not among them.");
    }

    @Test
    @Requirement("C10")
    void aReportIsWrittenToAFile(@TempDir Path directory) throws IOException {
        server.answers(200, "application/json", "{ \"release\": {\"id\":\"r1\"} }");
        Path file = directory.resolve("report.html");
        Files.writeString(file, "what was there before");

        Ran ran = asked("", "release", "report", "r1", "--format=html", "--output", file.toString());

        assertThat(ran).isEqualTo(new Ran(0, "", ""));
        assertThat(file).content().startsWith("<!DOCTYPE html>").endsWith("</html>\n");
        assertThat(directory.toFile().list()).containsExactly("report.html");
    }

    @Test
    void withoutAFormatAReportIsOneJsonObject(@TempDir Path directory) throws IOException {
        server.answers(200, "application/json", "{ \"release\": {\"id\":\"r1\"},\n \"stages\": [] }");
        String json = "{\"release\":{\"id\":\"r1\"},\"stages\":[]}";
        Path file = directory.resolve("report.json");

        assertThat(asked("", "release", "report", "r1")).isEqualTo(Ran.printed(json));
        assertThat(asked("", "release", "report", "r1", "--output", file.toString()))
                .isEqualTo(new Ran(0, "", ""));
        assertThat(file).hasContent(json);
    }

    @Test
    void aReportThatFailsLeavesTheFileAlone(@TempDir Path directory) throws IOException {
        server.breaksOff();
        Path file = directory.resolve("report.html");
        Files.writeString(file, "what was there before");

        Ran ran = asked("", "release", "report", "r1", "--format=html", "--output", file.toString());

        assertThat(ran.code()).isEqualTo(2);
        assertThat(file).hasContent("what was there before");
        assertThat(directory.toFile().list()).containsExactly("report.html");
    }

    @Test
    void aReportThatCannotBeWrittenLeavesNothing(@TempDir Path directory) {
        server.answers(200, "application/json", "{}");
        String tooLong = directory.resolve("r".repeat(300)).toString();

        Ran ran = asked("", "release", "report", "r1", "--output", tooLong);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).startsWith("--output was ").contains(", but must be a file, new or to be replaced");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void whatAReportCannotBeIsRefusedAllAtOnce(@TempDir Path directory) {
        String missing = directory.resolve("no/report.html").toString();

        assertThat(asked("", "release", "report", "r1", "--format=pdf", "--output", missing))
                .isEqualTo(Ran.refused(
                        "--format was pdf, but must be json, md or html",
                        "--output was " + missing + ", but must be a file, new or to be replaced, in a directory that"
                                + " can be written to"));
        assertThat(asked("", "release", "report", "r1", "--output", directory.toString())
                        .err())
                .startsWith("--output was " + directory + ", but must be a file");
        assertThat(asked("", "release", "report", "r1", "--output=").err()).startsWith("--output was empty, but");
        assertThat(server.asked()).isEmpty();
    }

    private Ran asked(String input, String... args) {
        Map<String, String> environment = Map.of("SLUICE_TOKEN", "secret-token", "SLUICE_SERVER", server.url());
        return Ran.with(environment, input.getBytes(StandardCharsets.UTF_8), args);
    }
}
