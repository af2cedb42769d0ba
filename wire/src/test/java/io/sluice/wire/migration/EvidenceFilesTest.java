package io.sluice.wire.migration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.migration.evidence.Evidence;
import io.sluice.migration.evidence.EvidenceDay;
import io.sluice.migration.evidence.ExitCriteria;
import io.sluice.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The two files that {@code sluice migration ready} reads. */
@Requirement("I6")
class EvidenceFilesTest {
    private static final Path EXAMPLES = Path.of("..", "docs", "examples");
    private static final String STATS = """
            {"days":[{"date":"2026-11-29","newSuccesses":10,"fallbacks":1,"shadowChecks":5,"shadowDiffs":2,\
            "complete":true}]}""";
    private static final String CRITERIA =
            "{\"minNewSuccesses\":50000,\"maxFallbackBps\":10,\"maxShadowDiffBps\":5,\"minDays\":7}";

    @Test
    void bothAreReadAndWrittenBackByteForByte() {
        Evidence evidence = EvidenceStatsJson.readStrict(STATS.getBytes(UTF_8));
        ExitCriteria criteria = ExitCriteriaJson.readStrict(CRITERIA.getBytes(UTF_8));

        assertThat(evidence)
                .isEqualTo(new Evidence(List.of(new EvidenceDay(LocalDate.parse("2026-11-29"), 10, 1, 5, 2, true))));
        assertThat(criteria).isEqualTo(ExitCriteria.DEFAULT);
        assertThat(new String(EvidenceStatsJson.write(evidence), UTF_8)).isEqualTo(STATS);
        assertThat(new String(ExitCriteriaJson.write(criteria), UTF_8)).isEqualTo(CRITERIA);
    }

    @Test
    void theExamplesAreTaken() throws IOException {
        assertThat(EvidenceStatsJson.readStrict(Files.readAllBytes(EXAMPLES.resolve("migration-stats.json")))
                        .days())
                .hasSize(10);
        assertThat(ExitCriteriaJson.readStrict(Files.readAllBytes(EXAMPLES.resolve("migration-criteria.json"))))
                .isEqualTo(ExitCriteria.DEFAULT);
    }

    @Property(tries = 200)
    void whatIsWrittenIsRead(@ForAll("evidence") Evidence evidence, @ForAll("criteria") ExitCriteria criteria) {
        assertThat(EvidenceStatsJson.readStrict(EvidenceStatsJson.write(evidence)))
                .isEqualTo(evidence);
        assertThat(ExitCriteriaJson.readStrict(ExitCriteriaJson.write(criteria)))
                .isEqualTo(criteria);
    }

    @Provide
    Arbitrary<Evidence> evidence() {
        Arbitrary<Long> counts = Arbitraries.longs().between(0, (1L << 53) - 1);
        return Combinators.combine(
                        Arbitraries.longs().between(0, 3_000_000), counts.list().ofSize(4), Arbitraries.of(true, false))
                .as((day, numbers, complete) -> new EvidenceDay(
                        LocalDate.of(1, 1, 1).plusDays(day),
                        numbers.get(0),
                        numbers.get(1),
                        Math.max(numbers.get(2), numbers.get(3)),
                        Math.min(numbers.get(2), numbers.get(3)),
                        complete))
                .list()
                .uniqueElements(EvidenceDay::date)
                .ofMaxSize(20)
                .map(Evidence::new);
    }

    @Provide
    Arbitrary<ExitCriteria> criteria() {
        return Combinators.combine(
                        Arbitraries.longs().between(1, (1L << 53) - 1),
                        Arbitraries.integers().between(0, 10_000),
                        Arbitraries.integers().between(0, 10_000),
                        Arbitraries.integers().between(1, 366))
                .as(ExitCriteria::new);
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            "minDays":7                | "minDays":0                    | minDays was 0, but must be a whole number within 1..366
            "minDays":7                | "minDays":367                  | minDays was 367, but must be a whole number within 1..366
            "minDays":7                | "minDays":7.5                  | minDays was 7.5, but must be a whole number within 1..366
            "minDays":7                | "minDays":"7"                  | minDays was 7, but must be a whole number within 1..366
            "minDays":7                | "minDays":null                 | minDays was null, but must be a whole number within 1..366
            ,"minDays":7               | ''                             | minDays was missing, but must be a whole number within 1..366
            "maxFallbackBps":10        | "maxFallbackBps":-1            | maxFallbackBps was -1, but must be a whole number within 0..10000
            "maxFallbackBps":10        | "maxFallbackBps":10001         | maxFallbackBps was 10001, but must be a whole number within 0..10000
            "maxShadowDiffBps":5       | "maxShadowDiffBps":-1          | maxShadowDiffBps was -1, but must be a whole number within 0..10000
            "maxShadowDiffBps":5       | "maxShadowDiffBps":1e9         | maxShadowDiffBps was 1E+9, but must be a whole number within 0..10000
            "minNewSuccesses":50000    | "minNewSuccesses":0            | minNewSuccesses was 0, but must be a whole number within 1..9007199254740991
            "minNewSuccesses":50000    | "minNewSuccesses":[1]          | minNewSuccesses was a list, but must be a whole number within 1..9007199254740991
            "minDays":7                | "minDays":7,"xyz":1            | xyz was unknown, but must be one of minNewSuccesses, maxFallbackBps, maxShadowDiffBps, minDays
            "minDays":7                | "minDays":7,"minDay":1         | minDay was unknown, but must be one of minNewSuccesses, maxFallbackBps, maxShadowDiffBps, minDays; did you mean minDays?
            "minDays":7                | "minDays":7,"maxfallbackbps":1 | maxfallbackbps was unknown, but must be one of minNewSuccesses, maxFallbackBps, maxShadowDiffBps, minDays; did you mean maxFallbackBps?
            "minDays":7                | "minDays":7,"maxShadowBps":1   | maxShadowBps was unknown, but must be one of minNewSuccesses, maxFallbackBps, maxShadowDiffBps, minDays; did you mean maxShadowDiffBps?
            """)
    void whatIsWrongWithCriteriaIsNamed(String good, String bad, String problem) {
        assertThat(problemsOf(CRITERIA.replace(good, bad), ExitCriteriaJson::readStrict))
                .containsExactly(problem);
    }

    @Test
    void aMistypedCriterionIsNamedAndMissed() {
        assertThat(problemsOf(CRITERIA.replace("minDays", "minDayz"), ExitCriteriaJson::readStrict))
                .containsExactly(
                        "minDays was missing, but must be a whole number within 1..366",
                        "minDayz was unknown, but must be one of minNewSuccesses, maxFallbackBps, maxShadowDiffBps, minDays;"
                                + " did you mean minDays?");
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            "date":"2026-11-29" | "date":"2026-02-30"          | days[0].date was 2026-02-30, but must be a date like 2026-11-30
            "date":"2026-11-29" | "date":"2026-11-29T00:00:00" | days[0].date was 2026-11-29T00:00:00, but must be a date like 2026-11-30
            "date":"2026-11-29" | "date":"+12026-11-29"        | days[0].date was +12026-11-29, but must be a date like 2026-11-30
            "date":"2026-11-29" | "date":"0000-01-01"          | days[0].date was 0000-01-01, but must be within 0001-01-01..9999-12-31
            "date":"2026-11-29" | "date":""                    | days[0].date was empty, but must be a date like 2026-11-30
            "date":"2026-11-29" | "date":20261129              | days[0].date was 20261129, but must be a text
            "fallbacks":1       | "fallbacks":-1               | days[0].fallbacks was -1, but must be a whole number within 0..9007199254740991
            "fallbacks":1       | "fallbacks":"1"              | days[0].fallbacks was 1, but must be a whole number within 0..9007199254740991
            "shadowDiffs":2     | "shadowDiffs":6              | days[0].shadowDiffs was 6, but must be within 0..shadowChecks (5)
            "complete":true     | "complete":1                 | days[0].complete was 1, but must be true or false
            ,"complete":true    | ''                           | days[0].complete was missing, but must be true or false
            "complete":true     | "complete":true,"fallback":1 | days[0].fallback was unknown, but must be one of date, newSuccesses, fallbacks, shadowChecks, shadowDiffs, complete; did you mean fallbacks?
            "days":             | "other":[],"days":           | other was unknown, but must be one of days
            [{                  | [7,{                         | days[0] was 7, but must be an object
            """)
    void whatIsWrongWithStatsIsNamed(String good, String bad, String problem) {
        assertThat(problemsOf(STATS.replace(good, bad), EvidenceStatsJson::readStrict))
                .containsExactly(problem);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"", "[]", "null", "7", "{", "{} {}", "\ufeff{}", "{\"days\":{}}", "{\"days\":null}", "{}"})
    void whatIsNoDocumentIsRefused(String json) {
        assertThat(problemsOf(json, EvidenceStatsJson::readStrict)).isNotEmpty();
        assertThat(problemsOf(json, ExitCriteriaJson::readStrict)).isNotEmpty();
    }

    private static List<String> problemsOf(String json, Function<byte[], ?> reader) {
        RefusedException refused =
                catchThrowableOfType(RefusedException.class, () -> reader.apply(json.getBytes(UTF_8)));
        return refused == null
                ? List.of()
                : refused.problems().stream().map(Problem::toString).toList();
    }
}
