package io.sluice.cli.migration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Ran;
import io.sluice.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement({"I6", "F75"})
class ReadyCommandTest {
    private static final Path EXAMPLES = Path.of("..", "docs", "examples");
    private static final String STATS = EXAMPLES.resolve("migration-stats.json").toString();
    private static final String CRITERIA =
            EXAMPLES.resolve("migration-criteria.json").toString();
    private static final LocalDate TOMORROW = LocalDate.now(ZoneOffset.UTC).plusDays(1);

    @TempDir
    private Path dir;

    @Test
    void theExamplesOfTheManualAreReady() {
        Ran ran = Ran.sluice("migration", "ready", "--stats", STATS, "--criteria", CRITERIA);

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).isEqualTo("{\"ready\":true,\"unmet\":[]}\n");
    }

    @Test
    void theExampleIsNotReadyWithoutItsLastDay() throws IOException {
        String json = Files.readString(Path.of(STATS), UTF_8);
        String shorter = json.replaceFirst(",\\s*\\{ \"date\": \"2026-11-29\"[^}]*}", "");

        Ran ran = Ran.fed(shorter, "migration", "ready", "--stats", "-", "--criteria", CRITERIA);

        assertThat(ran.code()).isEqualTo(10);
        assertThat(ran.out())
                .isEqualTo(
                        "{\"ready\":false,\"unmet\":[\"unbroken days 6 < 7 (minDays): 2026-11-22 was interrupted\"]}\n");
    }

    @Test
    void everythingUnmetIsPrintedAtOnce() throws IOException {
        String stats = file("stats.json", """
                {"days":[{"date":"2026-10-01","newSuccesses":998910,"fallbacks":1090,"shadowChecks":0,"shadowDiffs":0,\
                "complete":false}]}""");
        String criteria = file("criteria.json", """
                {"minNewSuccesses":1000000,"maxFallbackBps":10,"maxShadowDiffBps":10000,"minDays":1}""");

        Ran ran = Ran.sluice("migration", "ready", "--stats", stats, "--criteria", criteria);

        assertThat(ran.code()).isEqualTo(10);
        assertThat(ran.out()).isEqualTo("""
                {"ready":false,"unmet":["new successes 998910 < 1000000 (minNewSuccesses), over 1 day, 2026-10-01",\
                "fallback rate 10.90 bps > 10 bps (maxFallbackBps): 1090 of 1000000 requests of the new side \
                (successes and fallbacks) over 1 day, 2026-10-01",\
                "shadow difference rate not known, limit 10000 bps (maxShadowDiffBps): 0 of 0 comparisons over 1 day, \
                2026-10-01, and no evidence is never ready",\
                "unbroken days 0 < 1 (minDays): 2026-10-01 was interrupted"]}
                """);
    }

    @Test
    void nothingIsNotReady() {
        Ran ran = Ran.fed("{\"days\":[]}", "migration", "ready", "--stats", "-", "--criteria", CRITERIA);

        assertThat(ran.code()).isEqualTo(10);
        assertThat(ran.out())
                .contains("(minNewSuccesses)", "(maxFallbackBps)", "(maxShadowDiffBps)", "(minDays)")
                .startsWith("{\"ready\":false,");
    }

    @Test
    void withoutCriteriaTheDefaultsHoldAndAreSaid() {
        String stats = days(7, TOMORROW.minusDays(1));

        Ran ran = Ran.fed(stats, "migration", "ready", "--stats", "-");

        assertThat(ran)
                .isEqualTo(new Ran(
                        0,
                        "{\"ready\":true,\"unmet\":[]}\n",
                        "judged by the defaults, since there is no --criteria: minNewSuccesses 50000, maxFallbackBps 10,"
                                + " maxShadowDiffBps 5, minDays 7\n"));
    }

    @Test
    void aDayThatIsUnderWayBreaksNothing() {
        String stats = days(7, TOMORROW.minusDays(1))
                .replace(
                        "]}",
                        ",{\"date\":\"" + TOMORROW + "\",\"newSuccesses\":1,\"fallbacks\":0,\"shadowChecks\":0,"
                                + "\"shadowDiffs\":0,\"complete\":false}]}");

        assertThat(Ran.fed(stats, "migration", "ready", "--stats", "-", "--criteria", CRITERIA))
                .isEqualTo(Ran.printed("{\"ready\":true,\"unmet\":[]}"));
    }

    @Test
    void oldEvidenceIsJudgedWithAWarning() {
        Ran old = Ran.fed(
                days(7, LocalDate.parse("2025-01-07")), "migration", "ready", "--stats", "-", "--criteria", CRITERIA);

        assertThat(old)
                .isEqualTo(new Ran(
                        0,
                        "{\"ready\":true,\"unmet\":[]}\n",
                        "warning: the last day given is 2025-01-07; what happened since is not judged\n"));
    }

    @Test
    void theProblemsOfBothFilesAreListed() throws IOException {
        String stats = file("stats.json", """
                {"days":[{"date":"2026-02-30","newSuccesses":-1,"fallbacks":"3","shadowChecks":1.5,"complete":"yes"},
                {"date":"2026-10-02","newSuccesses":1,"fallbacks":0,"shadowChecks":1,"shadowDiffs":2,"complete":true}],
                "Days":[]}""");
        String criteria = file("criteria.json", "{\"minNewSuccess\":1,\"maxFallbackBps\":-1,\"minDays\":0}");

        assertThat(Ran.sluice("migration", "ready", "--stats", stats, "--criteria", criteria))
                .isEqualTo(Ran.refused(
                        "stats.days[0].date was 2026-02-30, but must be a date like 2026-11-30",
                        "stats.days[0].newSuccesses was -1, but must be a whole number within 0..9007199254740991",
                        "stats.days[0].fallbacks was 3, but must be a whole number within 0..9007199254740991",
                        "stats.days[0].shadowChecks was 1.5, but must be a whole number within 0..9007199254740991",
                        "stats.days[0].shadowDiffs was missing, but must be a whole number within 0..9007199254740991",
                        "stats.days[0].complete was yes, but must be true or false",
                        "stats.days[1].shadowDiffs was 2, but must be within 0..shadowChecks (1)",
                        "stats.Days was unknown, but must be one of days; did you mean days?",
                        "criteria.minNewSuccesses was missing, but must be a whole number within 1..9007199254740991",
                        "criteria.maxFallbackBps was -1, but must be a whole number within 0..10000",
                        "criteria.maxShadowDiffBps was missing, but must be a whole number within 0..10000",
                        "criteria.minDays was 0, but must be a whole number within 1..366",
                        "criteria.minNewSuccess was unknown, but must be one of minNewSuccesses, maxFallbackBps,"
                                + " maxShadowDiffBps, minDays; did you mean minNewSuccesses?"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            migration ready                                       | --stats was missing, but must be given, or else NAME, a migration that the server has
            migration ready --stats=- --critera=x                 | sluice migration ready: Unknown option: '--critera=x'; did you mean --criteria?
            migration ready --stats=- --criteria=-                | --criteria was -, but must be a file where --stats is standard input
            migration ready --stats=no/stats --criteria=no/limits | --stats was no/stats, but must be a file that can be read, or -
            migration ready --stats=no/stats --criteria=no/limits | --criteria was no/limits, but must be a file that can be read, or -
            migration ready --stats=-                             | stats.document was empty, but must be a JSON object
            migration redy                                        | sluice migration: Unmatched argument at index 1: 'redy'; did you mean
            """)
    void wrongUsageIsExplained(String arguments, String message) {
        Ran ran = Ran.sluice(arguments.split(" "));

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains(message);
    }

    @Test
    void aDateThatIsThereTwiceIsRefused() {
        String stats = days(2, TOMORROW).replace(TOMORROW.minusDays(1).toString(), TOMORROW.toString());

        assertThat(Ran.fed(stats, "migration", "ready", "--stats", "-").err())
                .isEqualTo("stats.days[1].date was " + TOMORROW + ", but must be there once\n");
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(dir.resolve(name), content).toString();
    }

    private static String days(int count, LocalDate last) {
        StringBuilder json = new StringBuilder("{\"days\":[");
        for (int i = count - 1; i >= 0; i--) {
            json.append("{\"date\":\"")
                    .append(last.minusDays(i))
                    .append("\",\"newSuccesses\":10000,\"fallbacks\":1,\"shadowChecks\":10000,\"shadowDiffs\":1,")
                    .append("\"complete\":true}")
                    .append(i == 0 ? "" : ",");
        }
        return json.append("]}").toString();
    }
}
