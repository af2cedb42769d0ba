package io.sluice.cli.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Ran;
import io.sluice.testing.Requirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement({"C4", "C8"})
class ChannelReleaseCommandTest {
    private static final String BLUE_GREEN = """
            {"strategy":"blue-green","id":"trade-2026-11","channel":"trade","version":"v2",
             "guard":{"minSamples":100,"maxErrorRate":"2%","maxP99":"300ms"}}
            """;
    private static final String ROLLING = """
            {"strategy":"rolling","id":"t1","channel":"trade","version":"v2","deployer":"processes","batches":4}
            """;
    private static final String VIEW = """
            {"id":"trade-2026-11","strategy":"blue-green","channel":"trade","version":"v2",
             "services":["inventory","order"],"phase":"admitting","paused":false,"restoring":false,"side":"blue",
             "stage":1,"stages":5,"percent":5,"bluePercent":5,"heldMillis":40000,"holdMillis":60000,"step":3,
             "revision":17,"why":null,"wayBack":true,"wayBackWhy":"",
             "waitingFor":["2 of 6 processes have not applied 1.7: order@10.0.0.7:8080"],
             "sides":[{"color":"blue","share":5,"versions":["v2"],"instances":[
               {"instance":"order@10.0.0.7:8080","ready":true,"registered":true,"requestsPerSecond":12.5,
                "plannedShare":5,"imbalance":null}]},
              {"color":"green","share":95,"versions":["v1"],"instances":[]}],
             "unreached":["order@10.0.0.7:8080"],"refusals":[{"instance":"user@10.0.0.9:8080","why":"no\\u001b[2J"}],
             "crossed":3,"advice":["order: add 2 instances"],
             "verdict":{"health":"HOLD","reason":"insufficient_samples","service":"order","samples":17},
             "guard":{"minSamples":30,"maxErrorRate":0.02},
             "plan":{"stages":[{"percent":1},{"percent":5},{"percent":25},{"percent":50},{"percent":100}]},
             "allowedCommands":["pause","abort"]}
            """;

    private FakeServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"blue-green", "rolling"})
    void createSendsTheDocumentWithTheReason(String strategy) {
        server.answers(201, "application/json", "{}");
        String document = strategy.equals("rolling") ? ROLLING : BLUE_GREEN;

        Ran ran = asked(document, "release", "create", "-", "--why", "November");

        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isZero();
        assertThat(server.asked()).singleElement().satisfies(asked -> {
            assertThat(asked.method() + " " + asked.path()).isEqualTo("POST /api/v1/releases");
            assertThat(asked.body())
                    .contains("\"strategy\":\"" + strategy + "\"", "\"channel\":\"trade\"", "\"why\":\"November\"");
        });
    }

    @Test
    void createNamesEveryProblemWithoutAskingTheServer() {
        Ran ran = asked(
                BLUE_GREEN
                        .replace("300ms", "300")
                        .replace("\"trade\"", "\"Trade\"")
                        .replace("\"v2\"", "\"stable\""),
                "release",
                "create",
                "-");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err().lines())
                .hasSize(3)
                .anyMatch(line -> line.startsWith("guard.maxP99 was 300"))
                .anyMatch(line -> line.startsWith("channel was Trade"))
                .anyMatch(line -> line.startsWith("version was stable"));
        assertThat(server.asked()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"recreate", "''", "Blue-Green"})
    void unknownStrategyIsRefused(String strategy) {
        Ran ran = asked(ROLLING.replace("\"rolling\"", "\"" + strategy + "\""), "release", "create", "-");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).startsWith("strategy was ").contains("must be one of canary, blue-green, rolling");
    }

    @Test
    void reasonThatIsTooLongIsRefused() {
        Ran ran = asked(ROLLING, "release", "create", "-", "--why", "w".repeat(501));

        assertThat(ran.code()).isEqualTo(2);
        assertThat(server.asked()).isEmpty();
    }

    @Requirement({"J2", "F22"})
    @Test
    void releaseIsToldForPeopleWithBothColors() {
        server.answers(200, "application/json", VIEW);

        assertThat(asked("", "release", "show", "trade-2026-11", "--format=text"))
                .isEqualTo(Ran.printed(
                        "trade-2026-11: admitting blue, blue 5%, stage 2 of 5, held 40s of 1m; HOLD order:"
                                + " insufficient_samples, 17 of 30 samples",
                        "  blue-green release of trade (inventory, order) to v2",
                        "  blue         5%  |#                   |  v2  1 of 1 ready, 1 registered, 12.5 requests/s",
                        "  green       95%  |################### |  v1  no instances",
                        "  waiting for: 2 of 6 processes have not applied 1.7: order@10.0.0.7:8080",
                        "  way back: yes",
                        "  unreached: order@10.0.0.7:8080",
                        "  refuses its rules: user@10.0.0.9:8080, no\\u001b[2J",
                        "  crossed: 3 requests came with the other color",
                        "  advice: order: add 2 instances",
                        "  commands: pause, abort"));
    }

    @Test
    void pausedAndRestoringAreSaid() {
        server.answers(
                200,
                "application/json",
                "{\"id\":\"r\",\"strategy\":\"blue-green\",\"phase\":\"deploying\",\"paused\":true,\"restoring\":true,"
                        + "\"side\":\"blue\",\"stage\":null,\"bluePercent\":0,\"why\":\"a human asked\",\"wayBack\":false,"
                        + "\"wayBackWhy\":\"blue runs v2\",\"verdict\":null}");

        assertThat(asked("", "release", "show", "r", "--format=text").out().lines())
                .contains("r: paused restoring deploying blue, blue 0%: a human asked", "  way back: no, blue runs v2");
    }

    @Test
    void releasesOfBothKindsAreListedInColumns() {
        server.answers(200, "application/json", "{\"releases\":[" + VIEW + """
                ,{"id":"r1","strategy":"canary","phase":"ramping","percent":5,"why":"x"}]}
                """);

        assertThat(asked("", "release", "list", "--format=text").out().lines())
                .containsExactly(
                        "RELEASE        STATE                    STAGE   HELD            WHY",
                        "trade-2026-11  admitting blue, blue 5%  2 of 5  held 40s of 1m  HOLD order: insufficient_samples,"
                                + " 17 of 30 samples",
                        "r1             ramping 5%                                       x");
    }

    @Test
    void rollingReleaseTellsItsBatch() {
        server.answers(200, "application/json", """
                {"id":"t1","strategy":"rolling","channel":"trade","version":"v2","services":["order"],"phase":"batch",
                 "batch":{"index":1,"part":"draining","instances":["order@10.0.0.7:8080"]},"batches":4,
                 "waitingFor":["order@10.0.0.7:8080 served 3 requests in the last 10s"],"sides":[]}
                """);

        assertThat(asked("", "release", "show", "t1", "--format=text"))
                .isEqualTo(Ran.printed(
                        "t1: batch 2 of 4, draining",
                        "  rolling release of trade (order) to v2",
                        "  waiting for: order@10.0.0.7:8080 served 3 requests in the last 10s"));
    }

    @Test
    void rollingReleaseTellsWhatItsGuardWaitsFor() {
        server.answers(200, "application/json", """
                {"id":"t1","strategy":"rolling","channel":"trade","version":"v2","services":["order"],"phase":"batch",
                 "batch":{"index":1,"part":"holding","instances":["order@10.0.0.7:8080"]},"batches":4,
                 "heldMillis":70000,"holdMillis":30000,"stage":null,"why":null,
                 "guard":{"minSamples":30,"maxErrorRate":0.02,"maxP99":"300ms"},
                 "verdict":{"health":"HOLD","reason":"insufficient_samples","service":"order","samples":17},
                 "waitingFor":[],"sides":[]}
                """);

        assertThat(asked("", "release", "show", "t1", "--format=text")
                        .out()
                        .lines()
                        .findFirst())
                .contains("t1: batch 2 of 4, holding, on hold 40s beyond its 30s; HOLD order: insufficient_samples,"
                        + " 17 of 30 samples");
    }

    private static final String REPORT = """
            {"release":{"id":"trade-2026-11","strategy":"blue-green","channel":"trade","version":"v2",
              "services":["inventory","order"],"deployer":"processes","check":"http://127.0.0.1:1/health",
              "waits":{"grace":"5s","quiet":"10s","spread":"40s","deployWithin":"10m"},"extra":{"order":1},
              "plan":{"stages":[{"percent":1,"hold":"1m"},{"percent":100,"hold":"0s"}],"pace":"time"},
              "green":[{"percent":50,"hold":"0s"}]},
             "stages":[{"step":2,"percent":1,"watchedMillis":60000,"canary":10,"stable":990,"achievedPercent":1,
               "askedPercent":1,"errorPp":0,"failed":0,"p99Millis":5}],
             "journal":[{"at":"2026-11-01T08:00:10Z","actor":"alice","action":"start","why":"","outcome":"draining"}],
             "outcome":"completed"}
            """;

    @Requirement("C10")
    @Test
    void reportOfAChannelHasItsKindAndBothSides() {
        server.answers(200, "application/json", REPORT);

        assertThat(asked("", "release", "report", "trade-2026-11", "--format=md")
                        .out()
                        .lines())
                .startsWith(
                        "# Release trade-2026-11: completed",
                        "",
                        "- Version v2 of inventory, order",
                        "- blue-green release of channel trade",
                        "- Deployer: processes",
                        "- Check: http://127.0.0.1:1/health",
                        "- Waits: 5s for requests under way, 10s of silence, 40s for callers to learn of instances, a"
                                + " deployment within 10m",
                        "- More instances a side: order 1",
                        "- Plan: 1 % for 1m → 100 % for 0s",
                        "- Green: 50 % for 0s",
                        "- Pace: time")
                .contains("| Asked % | Achieved % | Error pp | New side | Other side | Failed | P99 ms | Watched |"
                        + " Entered | Verdict |");
        assertThat(asked("", "release", "report", "trade-2026-11", "--format=html")
                        .out())
                .contains("Who was on blue, and why", "blue-green release of channel trade", "Requests to the new side")
                .doesNotContain("sluice split");
    }

    @Requirement("C10")
    @Test
    void reportOfARollingReleaseHasPhasesAlone() {
        server.answers(200, "application/json", """
                {"release":{"id":"t1","strategy":"rolling","channel":"trade","version":"v2","services":["order"],
                  "batches":4,"between":"30s"},"stages":[],"journal":[],"outcome":"running"}
                """);

        assertThat(asked("", "release", "report", "t1", "--format=md").out())
                .contains("- Batches: 4, 30s apart")
                .doesNotContain("## Stages");
        assertThat(asked("", "release", "report", "t1", "--format=html").out()).doesNotContain("Weight over time");
    }

    @Requirement("F23")
    @Test
    void promoteAtTheLastMomentWithAWayBackWantsAYes() {
        server.answers(200, "application/json", VIEW.replace("\"admitting\"", "\"confirming\""));

        Ran asked = asked("", "release", "promote", "trade-2026-11", "--why=fine");
        Ran sure = asked("", "release", "promote", "trade-2026-11", "--why=fine", "--yes");

        assertThat(asked)
                .isEqualTo(
                        Ran.refused("release trade-2026-11 is at its last moment with a way back: promote drains green"
                                + " and deploys v2 there, and after that nothing runs the old version; nothing was changed; to go"
                                + " on, give --yes"));
        assertThat(sure.code()).isZero();
        assertThat(server.asked()).extracting(FakeServer.Asked::method).containsExactly("GET", "GET", "POST");
        assertThat(server.asked().get(2).body()).isEqualTo("{\"why\":\"fine\",\"phase\":\"confirming\"}");
    }

    @Test
    void promoteElsewhereWantsNone() {
        server.answers(200, "application/json", VIEW);

        Ran ran = asked("", "release", "promote", "trade-2026-11", "--why=fine", "--format=text");

        assertThat(ran.out()).startsWith("trade-2026-11: admitting blue");
        assertThat(server.asked()).extracting(FakeServer.Asked::method).containsExactly("GET", "POST");
    }

    @Test
    void whatWasSeenIsNamedByItsPhase() {
        server.answers(200, "application/json", VIEW);

        asked("", "release", "pause", "r", "--why=hm", "--phase=verifying");

        assertThat(server.asked().get(0).body()).isEqualTo("{\"why\":\"hm\",\"phase\":\"verifying\"}");
        assertThat(asked("", "release", "pause", "r", "--why=hm", "--phase=Verifying Blue"))
                .isEqualTo(Ran.refused("--phase was Verifying Blue, but must be a word like verifying"));
    }

    @Test
    void yesIsForPromoteAlone() {
        assertThat(asked("", "release", "abort", "r", "--why=bad", "--yes"))
                .isEqualTo(Ran.refused("--yes was given, but must be left out but for promote"));
    }

    @Requirement("F23")
    @Test
    void abortWithoutAWayBackIsRefusedWithItsReason() {
        server.answers(409, "application/problem+json", """
                {"title":"Conflict","status":409,"detail":"NO_WAY_BACK: order on green runs v2: order@10.0.0.8:8080"}
                """);

        assertThat(asked("", "release", "abort", "trade-2026-11", "--why=bad"))
                .isEqualTo(Ran.refused("Conflict: NO_WAY_BACK: order on green runs v2: order@10.0.0.8:8080"));
    }

    private Ran asked(String input, String... args) {
        String[] all = Stream.concat(Stream.of(args), Stream.of("--server", server.url()))
                .toArray(String[]::new);
        return Ran.with(Map.of("SLUICE_TOKEN", "secret-token"), input.getBytes(StandardCharsets.UTF_8), all);
    }
}
