package io.sluice.wire.migration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.migration.evidence.CountedDay;
import io.sluice.migration.evidence.Counts;
import io.sluice.migration.plan.Side;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
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

class EvidenceReportJsonTest {
    private static final LocalDate DAY = LocalDate.parse("2026-11-30");
    private static final String JSON = """
            {"reporter":"inventory@10.0.0.7:4711-1796025600","planRevision":3,"directiveVersion":4,"days":[\
            {"date":"2026-11-30","from":"2026-11-30T00:00:00Z","until":"2026-11-30T08:15:00.123456789Z",\
            "longestGapMillis":2001,"newSuccesses":9,"legacySuccesses":8,"fallbacks":1,"shadowChecks":7,"shadowDiffs":2,\
            "notCompared":3,"unknown":4,"behind":5}],\
            "progress":{"toMove":70,"moved":30,"handedBack":1,"frozen":2,"keysPerSecond":500,"secondsLeft":9,\
            "state":"moving"},\
            "differences":[{"id":"d-1","key":"sku-1","read":"available","version":7,"authority":"legacy",\
            "authorityValue":"7","otherValue":"5","at":"2026-11-30T08:00:00Z"}]}""";

    @Test
    void aReportIsReadAndWrittenBackByteForByte() {
        EvidenceReport report = EvidenceReportJson.read(JSON.getBytes(UTF_8));

        assertThat(report)
                .isEqualTo(new EvidenceReport(
                        "inventory@10.0.0.7:4711-1796025600",
                        3,
                        4,
                        List.of(new CountedDay(
                                DAY,
                                Instant.parse("2026-11-30T00:00:00Z"),
                                Instant.parse("2026-11-30T08:15:00.123456789Z"),
                                Duration.ofMillis(2001),
                                new Counts(9, 8, 1, 7, 2, 3, 4, 5))),
                        Optional.of(new MoveProgress(70, 30, 1, 2, 500, OptionalLong.of(9), MoveProgress.State.MOVING)),
                        List.of(new ReportedDifference(
                                "d-1",
                                "sku-1",
                                "available",
                                7,
                                Side.LEGACY,
                                "7",
                                "5",
                                Instant.parse("2026-11-30T08:00:00Z")))));
        assertThat(new String(EvidenceReportJson.write(report), UTF_8)).isEqualTo(JSON);
    }

    @Property(tries = 300)
    void whatIsWrittenIsRead(@ForAll("reports") EvidenceReport report) {
        assertThat(EvidenceReportJson.read(EvidenceReportJson.write(report))).isEqualTo(report);
    }

    @Provide
    Arbitrary<EvidenceReport> reports() {
        Arbitrary<Long> counts = Arbitraries.longs().between(0, (1L << 53) - 1);
        return Combinators.combine(
                        counts,
                        counts,
                        days(),
                        progress().injectNull(0.3),
                        differences().list().ofMaxSize(5))
                .as((plan, directive, days, progress, differences) -> new EvidenceReport(
                        "inventory@h:1-2", plan, directive, days, Optional.ofNullable(progress), differences));
    }

    private static Arbitrary<List<CountedDay>> days() {
        return Combinators.combine(
                        Arbitraries.longs().between(0, 20_000),
                        Arbitraries.longs()
                                .between(0, 86_400_000_000_000L)
                                .list()
                                .ofSize(2),
                        Arbitraries.longs().between(0, 86_400_000),
                        Arbitraries.longs().between(0, (1L << 53) - 1).list().ofSize(7))
                .as((day, nanos, gap, n) -> {
                    LocalDate date = LocalDate.EPOCH.plusDays(day);
                    Instant start = Instant.parse(date + "T00:00:00Z");
                    return new CountedDay(
                            date,
                            start.plusNanos(Collections.min(nanos)),
                            start.plusNanos(Collections.max(nanos)),
                            Duration.ofMillis(gap),
                            new Counts(
                                    n.get(0),
                                    n.get(1),
                                    n.get(2),
                                    n.get(3),
                                    n.get(3) / 2,
                                    n.get(4),
                                    n.get(5),
                                    n.get(6)));
                })
                .list()
                .uniqueElements(CountedDay::date)
                .ofMaxSize(10);
    }

    private static Arbitrary<MoveProgress> progress() {
        Arbitrary<Long> counts = Arbitraries.longs().between(0, (1L << 53) - 1);
        return Combinators.combine(counts.list().ofSize(6), Arbitraries.of(MoveProgress.State.class))
                .as((n, state) -> new MoveProgress(
                        n.get(0),
                        n.get(1),
                        n.get(2),
                        n.get(3),
                        n.get(4),
                        n.get(5) % 2 == 0 ? OptionalLong.empty() : OptionalLong.of(n.get(5)),
                        state));
    }

    private static Arbitrary<ReportedDifference> differences() {
        Arbitrary<String> texts = Arbitraries.strings().all().ofMaxLength(600).map(ReportedDifference::shown);
        return Combinators.combine(
                        texts,
                        texts,
                        Arbitraries.of(Side.class),
                        Arbitraries.longs().between(0, 1L << 50))
                .as((a, b, side, version) -> new ReportedDifference(
                        "d", "sku", "available", version, side, a, b, Instant.ofEpochMilli(version)));
    }

    @Test
    void aReportOfANewerProcessIsRead() {
        String json = JSON.replace("{\"reporter\"", "{\"zone\":\"a\",\"reporter\"");

        assertThat(EvidenceReportJson.read(json.getBytes(UTF_8)).planRevision()).isEqualTo(3);
    }

    @Test
    void whatIsNotThereIsNotMade() {
        String json = "{\"reporter\":\"i@h:1\",\"planRevision\":1,\"days\":[]}";

        EvidenceReport report = EvidenceReportJson.read(json.getBytes(UTF_8));

        assertThat(report).isEqualTo(new EvidenceReport("i@h:1", 1, 0, List.of(), Optional.empty(), List.of()));
        assertThat(new String(EvidenceReportJson.write(report), UTF_8)).doesNotContain("progress");
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            "reporter":"inventory@10.0.0.7:4711-1796025600" | "reporter":"a b" | reporter was a b, but must match [A-Za-z0-9][A-Za-z0-9._:@/-]{0,255}
            "planRevision":3        | "planRevision":-1           | planRevision was -1, but must be a whole number within 0..9007199254740991
            "date":"2026-11-30"     | "date":"today"              | days[0].date was today, but must be a date like 2026-11-30
            "from":"2026-11-30T00   | "from":"2026-11-30 00       | days[0].from was 2026-11-30 00:00:00Z, but must be an instant like 2026-11-30T08:15:00Z
            "from":"2026-11-30T00   | "from":"2026-11-29T00       | days[0].from was 2026-11-29T00:00:00Z, but must be within 2026-11-30
            "until":"2026-11-30T08  | "until":"2026-12-01T08      | days[0].until was 2026-12-01T08:15:00.123456789Z, but must be within 2026-11-30, not before from
            "longestGapMillis":2001 | "longestGapMillis":86400001 | days[0].longestGapMillis was 86400001, but must be a whole number within 0..86400000
            "shadowDiffs":2         | "shadowDiffs":8             | days[0].shadowDiffs was 8, but must be within 0..shadowChecks (7)
            "unknown":4             | "unknown":null              | days[0].unknown was null, but must be a whole number within 0..9007199254740991
            "state":"moving"        | "state":"MOVING"            | progress.state was MOVING, but must be one of moving, paused, done
            "secondsLeft":9         | "secondsLeft":-1            | progress.secondsLeft was -1, but must be a whole number within 0..9007199254740991
            "frozen":2,             | ''                          | progress.frozen was missing, but must be a whole number within 0..9007199254740991
            "authority":"legacy"    | "authority":"old"           | differences[0].authority was old, but must be one of legacy, new
            "key":"sku-1"           | "key":""                    | 'differences[0].key was empty, but must have 1..255 characters, none of them a control character'
            "id":"d-1"              | "id":""                     | differences[0].id was empty, but must have 1..128 characters
            "at":"2026-11-30T08     | "at":"30.11.2026 08         | differences[0].at was 30.11.2026 08:00:00Z, but must be an instant like 2026-11-30T08:15:00Z
            """)
    void whatIsWrongIsNamed(String good, String bad, String problem) {
        assertThat(problemsOf(JSON.replace(good, bad)))
                .extracting(Problem::toString)
                .containsExactly(problem);
    }

    @Test
    void everythingWrongIsNamedTogether() {
        assertThat(problemsOf("{\"days\":[{}],\"progress\":{},\"differences\":[{}]}"))
                .extracting(Problem::path)
                .contains(
                        "reporter",
                        "planRevision",
                        "days[0].date",
                        "days[0].behind",
                        "progress.toMove",
                        "progress.state",
                        "differences[0].id",
                        "differences[0].at")
                .hasSize(2 + 12 + 6 + 8);
    }

    @Test
    void aDateThatIsThereTwiceIsRefused() {
        String day = JSON.substring(JSON.indexOf("[{\"date\"") + 1, JSON.indexOf("}]") + 1);

        assertThat(problemsOf(JSON.replace(day, day + "," + day)))
                .extracting(Problem::path)
                .containsExactly("days[1].date");
    }

    @Test
    void whatIsTooMuchIsRefused() {
        String difference = JSON.substring(JSON.indexOf("{\"id\""), JSON.lastIndexOf("]"));
        String many = String.join(",", Collections.nCopies(101, difference));
        String days = String.join(
                ",",
                IntStream.range(0, 65)
                        .mapToObj(i -> JSON.substring(JSON.indexOf("{\"date\""), JSON.indexOf("}]") + 1)
                                .replace("2026-11-30", DAY.plusDays(i).toString()))
                        .toList());
        String day = JSON.substring(JSON.indexOf("{\"date\""), JSON.indexOf("}]") + 1);

        assertThat(problemsOf(JSON.replace(difference, many).replace(day, days)))
                .extracting(Problem::toString)
                .containsExactly(
                        "days was 65 days, but must be at most 64",
                        "differences was 101 differences, but must be at most 100");
    }

    @Test
    void theLargestReportFitsIntoADocument() {
        String longest = "\u0001".repeat(ReportedDifference.LONGEST_VALUE);
        ReportedDifference difference = new ReportedDifference(
                "\u0001".repeat(128),
                "漢".repeat(255),
                "\u0001".repeat(128),
                1,
                Side.NEW,
                longest,
                longest,
                Instant.MAX);
        CountedDay day = EvidenceReportJson.read(JSON.getBytes(UTF_8)).days().get(0);
        List<CountedDay> days = IntStream.range(0, EvidenceReport.MOST_DAYS)
                .mapToObj(i -> new CountedDay(
                        DAY.plusDays(i),
                        day.from().plus(Duration.ofDays(i)),
                        day.until().plus(Duration.ofDays(i)),
                        Duration.ofDays(1),
                        new Counts(1L << 52, 1L << 52, 1L << 52, 1L << 52, 1L << 52, 1L << 52, 1L << 52, 1L << 52)))
                .toList();
        EvidenceReport report =
                new EvidenceReport("i".repeat(256), 1, 1, days, Optional.empty(), Collections.nCopies(100, difference));

        assertThat(EvidenceReportJson.read(EvidenceReportJson.write(report))).isEqualTo(report);
    }

    @Test
    void gapsAreRoundedUpToMilliseconds() {
        CountedDay day = new CountedDay(
                DAY,
                Instant.parse(DAY + "T00:00:00Z"),
                Instant.parse(DAY + "T00:00:05Z"),
                Duration.ofNanos(2_000_000_001L),
                Counts.NONE);

        byte[] json =
                EvidenceReportJson.write(new EvidenceReport("i", 1, 0, List.of(day), Optional.empty(), List.of()));

        assertThat(EvidenceReportJson.read(json).days().get(0).longestGap()).isEqualTo(Duration.ofMillis(2001));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"", "[]", "null", "7", "{", "{} {}", "{\"reporter\":\"a\",\"reporter\":\"b\"}", "\ufeff{}"})
    void whatIsNoDocumentIsRefused(String json) {
        assertThat(problemsOf(json)).isNotEmpty();
    }

    @ParameterizedTest(name = "{0} characters")
    @CsvSource({"0, 0", "511, 511", "512, 512", "513, 512", "100000, 512"})
    void valuesAreCutToWhatIsShown(int length, int shown) {
        assertThat(ReportedDifference.shown("x".repeat(length))).hasSize(shown);
    }

    @Test
    void noCharacterIsCutInHalf() {
        String faces = "\ud83d\ude00".repeat(300);

        assertThat(ReportedDifference.shown(faces)).hasSize(511).endsWith("\ude00...");
        assertThat(ReportedDifference.shown("\ud83d")).isEqualTo("?");
    }

    private static List<Problem> problemsOf(String json) {
        RefusedException refused =
                catchThrowableOfType(RefusedException.class, () -> EvidenceReportJson.read(json.getBytes(UTF_8)));
        return refused == null ? List.of() : refused.problems();
    }
}
