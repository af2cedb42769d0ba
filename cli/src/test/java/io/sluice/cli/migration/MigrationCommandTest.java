package io.sluice.cli.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Ran;
import io.sluice.cli.release.FakeServer;
import io.sluice.cli.release.FakeServer.Asked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MigrationCommandTest {
    private static final String VIEW = view(7, 4, 25, "");
    private static final String PATH = "/api/v1/migrations/inventory";

    @TempDir
    private Path dir;

    private FakeServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        server.answers(200, "application/json", VIEW);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void createSaysWhy() {
        assertThat(asked("migration", "create", "inventory", "--why", "a new ledger"))
                .isEqualTo(Ran.printed(VIEW));
        assertThat(server.asked())
                .containsExactly(new Asked(
                        "POST",
                        "/api/v1/migrations",
                        "Bearer secret-token",
                        "{\"name\":\"inventory\",\"why\":\"a new ledger\"}"));
    }

    @Test
    void observeBeginsAnew() {
        assertThat(asked("migration", "observe", "inventory", "--why", "repaired"))
                .isEqualTo(Ran.printed(VIEW));
        assertThat(server.asked())
                .containsExactly(new Asked(
                        "POST",
                        PATH + "/observe",
                        "Bearer secret-token",
                        "{\"name\":\"inventory\",\"why\":\"repaired\"}"));
    }

    @Test
    void listPrintsOneMigrationALine() {
        server.answers(200, "application/json", "{\"migrations\":[" + VIEW + ",{\"name\":\"prices\"}]}");

        assertThat(asked("migration list")).isEqualTo(Ran.printed(VIEW, "{\"name\":\"prices\"}"));
        assertThat(asked("migration list --format text").out().lines())
                .first()
                .isEqualTo("inventory: 25% new, moving; version 7, revision 4, at most 500 keys/s");
    }

    @Test
    void showPrintsWhatTheServerSays() {
        assertThat(asked("migration show inventory")).isEqualTo(Ran.printed(VIEW));
        assertThat(server.asked()).containsExactly(new Asked("GET", PATH, "Bearer secret-token", ""));
    }

    @Test
    void showTellsPeopleEverything() {
        assertThat(asked("migration show inventory --format text").out()).isEqualTo("""
                inventory: 25% new, moving; version 7, revision 4, at most 500 keys/s
                  keys       |##########.........x|  1250 moved, 1247 to move, 3 handed back, 1 frozen, 480 keys/s, 2m 36s left
                  also new   sku-1, sku-2
                  held back  sku-\\u001b[2J
                  processes  2, of which 1 behind
                    shop@b: revision 3 of 4, heard 2s ago
                  evidence   since 2026-11-28
                    day                 new  fallbacks   compared  different
                    2026-11-29        10700          1       2800          0
                    2026-11-30           12          0          0          0  incomplete
                  not ready, by the usual criteria
                    new successes 10712 < 50000 (minNewSuccesses)
                """);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            0,0,0         |                     ~
            9999,1,0      | ###################.~
            1,9999,1      | #..................x~
            500,500,0     | ##########..........~
            0,0,7         | xxxxxxxxxxxxxxxxxxxx~
            """)
    void theBarHasASignForWhatIsNotNothing(String counts, String bar) {
        List<String> parts = List.of(counts.split(","));
        server.answers(
                200,
                "application/json",
                VIEW.replace("\"toMove\":1247", "\"toMove\":" + parts.get(1))
                        .replace("\"moved\":1250", "\"moved\":" + parts.get(0))
                        .replace("\"handedBack\":3", "\"handedBack\":" + parts.get(2)));

        assertThat(asked("migration show inventory --format text").out())
                .contains("|" + (bar.equals("~") ? " ".repeat(20) : bar.replace("~", "")) + "|  ");
    }

    @Test
    void migrationThatNobodyMovesSaysSo() {
        server.answers(200, "application/json", """
                {"name":"inventory","version":1,"revision":1,"newPercent":0,"alsoNew":[],"heldBack":[],\
                "keysPerSecond":500,"paused":false,"observedSince":"2026-11-30","behind":0,"progress":null,\
                "processes":[],"days":[],"ready":true,"unmet":[]}""");

        assertThat(asked("migration show inventory --format text").out()).isEqualTo("""
                inventory: 0% new, no mover heard of; version 1, revision 1, at most 500 keys/s
                  keys       not known
                  processes  0, of which 0 behind
                  evidence   since 2026-11-30
                  ready
                """);
    }

    @Test
    void percentChangesWhatWasSeenAndSaysWhatIsDifferent() {
        server.answersFirst(view(6, 3, 10, ""));

        Ran ran = asked("migration", "percent", "inventory", "25", "--why", "a quarter");

        assertThat(ran).isEqualTo(new Ran(0, VIEW + "\n", "inventory: 10% -> 25%, revision 3 -> 4, now version 7\n"));
        assertThat(server.asked())
                .containsExactly(
                        new Asked("GET", PATH, "Bearer secret-token", ""),
                        new Asked(
                                "POST",
                                PATH,
                                "Bearer secret-token",
                                "{\"why\":\"a quarter\",\"version\":6,\"newPercent\":25}"));
    }

    @Test
    void versionThatIsStaleIsRefusedByTheServer() {
        server.answersFirst(VIEW);
        server.answers(409, "application/problem+json", """
                {"title":"Conflict","status":409,\
                "detail":"migration inventory is at version 7 by now, not at 5: look at it again first"}""");

        Ran ran = asked("migration", "percent", "inventory", "30", "--version", "5", "--why", "more");

        assertThat(ran)
                .isEqualTo(Ran.refused(
                        "Conflict: migration inventory is at version 7 by now, not at 5: look at it again first"));
        assertThat(server.asked().get(1).body()).contains("\"version\":5,");
    }

    @Test
    void listsAgainstThePercentageAreTheServersProblems() {
        server.answersFirst(VIEW);
        server.answers(400, "application/problem+json", """
                {"title":"Bad input","status":400,"problems":[\
                {"path":"heldBack","was":"sku-1","allowed":"must not hold a key that alsoNew sends to new"}]}""");

        Ran ran = asked("migration", "lists", "inventory", "--held-back", "sku-1", "sku-3", "--why", "risky");

        assertThat(ran).isEqualTo(Ran.refused("heldBack was sku-1, but must not hold a key that alsoNew sends to new"));
        assertThat(server.asked().get(1).body())
                .isEqualTo("{\"why\":\"risky\",\"version\":7,\"heldBack\":[\"sku-1\",\"sku-3\"]}");
    }

    @Test
    void listsComeFromFilesToo() throws IOException {
        String file =
                Files.writeString(dir.resolve("keys"), "sku 1\r\n-x\nsku-1\n").toString();
        server.answersFirst(VIEW, VIEW.replace("[\"sku-1\",\"sku-2\"]", "[\"sku 1\",\"-x\",\"sku-1\"]"));

        Ran ran = asked(
                "migration", "lists", "inventory", "--also-new-file", file, "--held-back-file", "-", "--why", "first");

        assertThat(ran.err()).isEqualTo("inventory: also new 2 added, 1 taken off, now version 7\n");
        assertThat(server.asked().get(1).body())
                .isEqualTo(
                        "{\"why\":\"first\",\"version\":7,\"alsoNew\":[\"sku 1\",\"-x\",\"sku-1\"],\"heldBack\":[]}");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            pace inventory --keys-per-second 50            | {"why":"pace 50 keys/s","keysPerSecond":50}
            pace inventory --keys-per-second 50 --why slow | {"why":"slow","keysPerSecond":50}
            pause inventory                                | {"why":"pause","paused":true}
            pause inventory --why fire --version 7         | {"why":"fire","version":7,"paused":true}
            resume inventory                               | {"why":"resume","paused":false}
            retry inventory --why repaired                 | {"why":"repaired","retry":true}
            back inventory --yes --why fire                | {"why":"fire","newPercent":0,"alsoNew":[],"heldBack":[],"paused":false}
            """)
    void whatStopsOrGoesBackIsMeantWhateverStandsThere(String line, String body) {
        assertThat(asked("migration " + line).code()).isZero();
        assertThat(server.asked().get(1)).isEqualTo(new Asked("POST", PATH, "Bearer secret-token", body));
    }

    @Test
    void changesAreToldInWords() {
        server.answersFirst(VIEW, view(8, 5, 25, "").replace("\"paused\":false", "\"paused\":true"));
        assertThat(asked("migration pause inventory --format text").err())
                .isEqualTo("inventory: paused, revision 4 -> 5, now version 8\n");

        server.answersFirst(VIEW, view(8, 5, 25, ""));
        assertThat(asked("migration retry inventory --why repaired").err())
                .isEqualTo("inventory: the same plan again, so keys that were handed back are tried again,"
                        + " revision 4 -> 5, now version 8\n");

        server.answersFirst(VIEW, view(8, 4, 25, "").replace(":500,", ":50,"));
        assertThat(asked("migration pace inventory --keys-per-second 50").err())
                .isEqualTo("inventory: 500 -> 50 keys/s, now version 8\n");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            percent inventory 101 --why x             | N was 101, but must be a whole number within 0..100
            percent inventory 1.5 --why x             | N was 1.5, but must be a whole number within 0..100
            percent inventory 10                      | --why was missing, but must say why, in at most 500 characters
            percent Inventory 10 --why x              | NAME was Inventory, but must have 1..63 of a-z 0-9 -, starting with a letter
            percent ../../x 10 --why x                | NAME was ../../x, but must have 1..63 of a-z 0-9 -, starting with a letter
            percent inventory 10 --why x --version v7 | --version was v7, but must be a whole number, at most ten digits
            percent inventory 10 --why x --format md  | --format was md, but must be json or text
            percent inventory --why x                 | sluice migration percent: Missing required parameter: 'N'
            create inventory                          | --why was missing, but must say why, in at most 500 characters
            observe inventory                         | --why was missing, but must say why, in at most 500 characters
            retry inventory                           | --why was missing, but must say why, in at most 500 characters
            back inventory --why x                    | --yes was missing, but must be given: every key goes back to legacy, and both lists go
            back inventory --yes                      | --why was missing, but must say why, in at most 500 characters
            pace inventory                            | --keys-per-second was missing, but must be a whole number, at most ten digits
            pace inventory --keys-per-second 0        | --keys-per-second was 0, but must be within 1..100000
            lists inventory --why x                   | --also-new was missing, but must be given, or --held-back, or a file of one
            lists inventory --also-new a --held-back  | sluice migration lists: Expected parameter for option '--held-back'
            lists inventory --also-new a --wy x       | sluice migration lists: Unknown option: '--wy'
            lists inventory --also-new a --also-new-file - --why x       | --also-new-file was given, but must be left out where --also-new is given
            lists inventory --also-new-file - --held-back-file - --why x | --held-back-file was -, but must be a file where --also-new-file is standard input
            lists inventory --also-new-file no/keys --why x              | --also-new-file was no/keys, but must be a file that can be read, or -
            watch inventory --timeout 5               | --timeout was 5, but must be a duration like 300ms, 10s, 5m, 1h or 2d
            ready                                     | --stats was missing, but must be given, or else NAME, a migration that the server has
            ready inventory --stats -                 | --stats was given, but must be left out where NAME is given
            ready Inventory                           | NAME was Inventory, but must have 1..63 of a-z 0-9 -, starting with a letter
            shwo inventory                            | sluice migration: Unmatched arguments from index 1: 'shwo', 'inventory'
            """)
    void badArgumentsAreNamedBeforeTheServerIsAsked(String line, String message) {
        Ran ran = asked("migration " + line);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains(message);
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void everyBadArgumentIsNamedAtOnce() {
        assertThat(asked("migration percent Inventory 101 --version x"))
                .isEqualTo(Ran.refused(
                        "NAME was Inventory, but must have 1..63 of a-z 0-9 -, starting with a letter",
                        "N was 101, but must be a whole number within 0..100",
                        "--why was missing, but must say why, in at most 500 characters",
                        "--version was x, but must be a whole number, at most ten digits"));
    }

    @Test
    void linesThatAreNoKeysAreNamed() throws IOException {
        Path file = Files.write(dir.resolve("keys"), new byte[] {'a', '\n', (byte) 0xff, '\n'});

        assertThat(asked("migration", "lists", "inventory", "--also-new-file", file.toString(), "--why", "x"))
                .isEqualTo(Ran.refused("--also-new-file was line 2, not UTF-8, but must hold one key a line"));

        Files.writeString(file, "a\n\n");
        assertThat(asked("migration", "lists", "inventory", "--also-new-file", file.toString(), "--why", "x"))
                .isEqualTo(Ran.refused("--also-new-file was line 2, empty, but must have 1..255 characters,"
                        + " none of them a control character"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "show inventory",
                "percent inventory 5 --why x",
                "pause inventory",
                "differences inventory",
                "watch inventory",
                "ready inventory"
            })
    void unknownMigrationIsTheServersAnswer(String line) {
        server.answers(
                404,
                "application/problem+json",
                "{\"title\":\"Not Found\",\"status\":404,\"detail\":\"no migration inventory\"}");

        Ran ran = asked("migration " + line);

        assertThat(ran).isEqualTo(Ran.refused("Not Found: no migration inventory"));
    }

    @Test
    void answerThatNeverCameLeavesADoubt() {
        server.answersFirst(VIEW);
        server.breaksOff();

        Ran ran = asked("migration pause inventory");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).endsWith("; it may have taken effect: look before you try again\n");
    }

    @Test
    void differencesArePrintedWithBothValues() {
        String difference = """
                {"id":"1","key":"sku-1","read":"available","version":12,"authority":"legacy","authorityValue":"7",\
                "otherValue":"5\\u001b","at":"2026-11-29T10:00:00Z"}""";
        server.answers(200, "application/json", "{\"differences\":[" + difference + "]}");

        assertThat(asked("migration differences inventory").out()).contains("\"authorityValue\":\"7\"");
        assertThat(asked("migration differences inventory --format text"))
                .isEqualTo(Ran.printed("2026-11-29T10:00:00Z  sku-1  available at version 12: legacy 7, new 5\\u001b"));
        assertThat(server.asked().get(0).path()).isEqualTo(PATH + "/differences?most=1000");
    }

    @Test
    void readyAsksTheServerWithTheCriteria() {
        server.answersFirst("{\"ready\":true,\"unmet\":[]}");
        assertThat(Ran.with(
                        Map.of("SLUICE_TOKEN", "secret-token"),
                        "{\"minNewSuccesses\":9,\"maxFallbackBps\":8,\"maxShadowDiffBps\":7,\"minDays\":6}".getBytes(),
                        "migration",
                        "ready",
                        "inventory",
                        "--criteria",
                        "-",
                        "--server",
                        server.url()))
                .isEqualTo(Ran.printed("{\"ready\":true,\"unmet\":[]}"));
        assertThat(server.asked())
                .containsExactly(new Asked(
                        "GET",
                        PATH + "/readiness?minNewSuccesses=9&maxFallbackBps=8&maxShadowDiffBps=7&minDays=6",
                        "Bearer secret-token",
                        ""));
    }

    @Test
    void notReadyAtTheServerIsTen() {
        server.answers(200, "application/json", "{\"ready\":false,\"unmet\":[\"unbroken days 0 < 7 (minDays)\"]}");

        Ran ran = asked("migration ready inventory");

        assertThat(ran.code()).isEqualTo(10);
        assertThat(ran.out()).isEqualTo("{\"ready\":false,\"unmet\":[\"unbroken days 0 < 7 (minDays)\"]}\n");
        assertThat(ran.err()).startsWith("judged by the defaults, since there is no --criteria: minNewSuccesses 50000");
    }

    @Test
    void answerWithoutAVerdictIsNoneOfBoth() {
        server.answers(200, "application/json", "{}");

        assertThat(asked("migration ready inventory"))
                .isEqualTo(Ran.refused("the server did not say whether inventory is ready"));
    }

    @Test
    void watchEndsWhenItIsDone() {
        server.answers(200, "application/json", view(7, 4, 25, "done"));

        assertThat(asked("migration watch inventory")).isEqualTo(Ran.printed("""
                {"name":"inventory","version":7,"revision":4,"newPercent":25,"paused":false,"behind":0,\
                "progress":{"state":"done","toMove":0,"moved":1250,"handedBack":3,"frozen":0,"keysPerSecond":0,\
                "secondsLeft":0}}"""));
    }

    @Test
    void watchOfWhatNobodyMovesRunsOutOfTime() {
        server.answers(200, "application/json", "{\"name\":\"inventory\",\"version\":1,\"behind\":0}");

        assertThat(asked("migration watch inventory --timeout 0s"))
                .isEqualTo(
                        new Ran(11, "{\"name\":\"inventory\",\"version\":1,\"behind\":0}\n", "not done within 0s\n"));
    }

    @Test
    void watchThatRanOutOfTimeIsEleven() {
        Ran ran = asked("migration watch inventory --timeout 0s --format text");

        assertThat(ran)
                .isEqualTo(new Ran(
                        11,
                        "inventory 25%  moving  |##########.........x|  1250 moved, 1247 to move, 3 handed back,"
                                + " 1 frozen, 480 keys/s, 2m 36s left, 1 behind\n",
                        "not done within 0s\n"));
    }

    /** @param state empty for one on its way */
    static String view(long version, long revision, int percent, String state) {
        boolean isDone = state.equals("done");
        return """
                {"name":"inventory","version":%d,"revision":%d,"newPercent":%d,"alsoNew":["sku-1","sku-2"],\
                "heldBack":["sku-\\u001B[2J"],"keysPerSecond":500,"paused":false,"observedSince":"2026-11-28",\
                "behind":%d,"progress":%s,"processes":[\
                {"reporter":"shop@a","planRevision":4,"directiveVersion":7,"reached":true,"unheardMillis":300},\
                {"reporter":"shop@b","planRevision":3,"directiveVersion":6,"reached":true,"unheardMillis":2100}],\
                "days":[\
                {"date":"2026-11-29","newSuccesses":10700,"fallbacks":1,"shadowChecks":2800,"shadowDiffs":0,\
                "complete":true},\
                {"date":"2026-11-30","newSuccesses":12,"fallbacks":0,"shadowChecks":0,"shadowDiffs":0,\
                "complete":false}],"ready":false,"unmet":["new successes 10712 < 50000 (minNewSuccesses)"]}""".formatted(
                        version,
                        revision,
                        percent,
                        isDone ? 0 : 1,
                        isDone
                                ? "{\"state\":\"done\",\"toMove\":0,\"moved\":1250,\"handedBack\":3,\"frozen\":0,"
                                        + "\"keysPerSecond\":0,\"secondsLeft\":0}"
                                : "{\"state\":\"moving\",\"toMove\":1247,\"moved\":1250,\"handedBack\":3,\"frozen\":1,"
                                        + "\"keysPerSecond\":480,\"secondsLeft\":156}");
    }

    private Ran asked(String line) {
        return asked(line.split(" +"));
    }

    private Ran asked(String... args) {
        String[] all = Stream.concat(Stream.of(args), Stream.of("--server", server.url()))
                .toArray(String[]::new);
        return Ran.with(Map.of("SLUICE_TOKEN", "secret-token"), new byte[0], all);
    }
}
