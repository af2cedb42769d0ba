package io.sluice.wire.migration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.migration.plan.Directive;
import io.sluice.migration.plan.Pace;
import io.sluice.migration.plan.Plan;
import io.sluice.testing.Requirement;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
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

@Requirement("I8")
class MigrationChangeJsonTest {
    private static final String JSON = """
            {"why":"first percent","version":7,"newPercent":1,"alsoNew":["sku-a"],"heldBack":["sku-b","sku-c"],\
            "keysPerSecond":500,"paused":true,"retry":true}""";
    private static final Directive BEFORE =
            new Directive(7, new Plan("inventory", 3, 20, Set.of("sku-a"), Set.of()), new Pace(500, true));

    @Test
    void aChangeIsReadAndWrittenBackByteForByte() {
        MigrationChange change = read(JSON);

        assertThat(change)
                .isEqualTo(new MigrationChange(
                        "first percent",
                        OptionalLong.of(7),
                        Optional.of(1),
                        Optional.of(List.of("sku-a")),
                        Optional.of(List.of("sku-b", "sku-c")),
                        Optional.of(500),
                        Optional.of(true),
                        true));
        assertThat(new String(MigrationChangeJson.write(change), UTF_8)).isEqualTo(JSON);
    }

    @Test
    void whatIsAbsentIsNotChanged() {
        MigrationChange change = read("{\"why\":\"w\",\"newPercent\":0}");

        assertThat(change).isEqualTo(MigrationChange.percent(0, "w"));
        assertThat(change.applyTo(BEFORE, 0, 0))
                .isEqualTo(new Directive(8, new Plan("inventory", 4, 0, Set.of("sku-a"), Set.of()), BEFORE.pace()));
    }

    @Test
    void anEmptyListIsNoAbsentOne() {
        MigrationChange change = read("{\"why\":\"w\",\"alsoNew\":[]}");

        assertThat(change.alsoNew()).contains(List.of());
        assertThat(change.applyTo(BEFORE, 0, 0).plan()).isEqualTo(new Plan("inventory", 4, 20, Set.of(), Set.of()));
    }

    @Property(tries = 200)
    void whatIsWrittenIsRead(@ForAll("changes") MigrationChange change) {
        assertThat(MigrationChangeJson.readStrict(MigrationChangeJson.write(change)))
                .isEqualTo(change);
    }

    @Provide
    Arbitrary<MigrationChange> changes() {
        Arbitrary<String> texts = Arbitraries.strings()
                .withCharRange(' ', '~')
                .withCharRange('\u4e00', '\u9fff')
                .ofMinLength(1)
                .ofMaxLength(255);
        Arbitrary<List<String>> keys = texts.list().ofMaxSize(10);
        return Combinators.combine(
                        texts.filter(text -> !text.isBlank()),
                        Arbitraries.longs().between(1, (1L << 53) - 1).optional(),
                        Arbitraries.integers().between(0, 100).optional(),
                        keys.optional(),
                        keys.optional(),
                        Arbitraries.integers().between(0, Integer.MAX_VALUE).optional(),
                        Arbitraries.of(true, false).optional())
                .as((why, version, percent, alsoNew, heldBack, rate, paused) -> new MigrationChange(
                        why,
                        version.map(OptionalLong::of).orElse(OptionalLong.empty()),
                        percent,
                        alsoNew,
                        heldBack,
                        rate,
                        paused,
                        true));
    }

    @Test
    void theLongestListsAreReadAndAppliedAtOnce() {
        List<String> keys = IntStream.range(0, Plan.LONGEST_LIST)
                .mapToObj(i -> "sku-%05d".formatted(i))
                .toList();
        MigrationChange change = new MigrationChange(
                "w",
                OptionalLong.empty(),
                Optional.of(0),
                Optional.of(List.of()),
                Optional.of(keys),
                Optional.empty(),
                Optional.empty(),
                false);

        MigrationChange read = MigrationChangeJson.readStrict(MigrationChangeJson.write(change));

        assertThat(read.applyTo(BEFORE, 0, 0).plan().heldBack()).hasSize(Plan.LONGEST_LIST);
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            "why":"first percent" | "why":""            | 'why was empty, but must say why, for the journal, in at most 500 characters'
            "why":"first percent" | "why":"  "          | 'why was empty, but must say why, for the journal, in at most 500 characters'
            "why":"first percent",| ''                  | 'why was empty, but must say why, for the journal, in at most 500 characters'
            "why":"first percent" | "why":7             | why was 7, but must be a text
            "version":7           | "version":0         | version was 0, but must be a whole number within 1..9007199254740991
            "newPercent":1        | "newPercent":101    | newPercent was 101, but must be a whole number within 0..100
            "newPercent":1        | "newPercent":-1     | newPercent was -1, but must be a whole number within 0..100
            "newPercent":1        | "newPercent":1.5    | newPercent was 1.5, but must be a whole number within 0..100
            "newPercent":1        | "newPercent":null   | newPercent was null, but must be a whole number within 0..100
            ["sku-a"]             | "sku-a"             | alsoNew was sku-a, but must be a list of texts
            ["sku-a"]             | [7]                 | alsoNew[0] was 7, but must be a text
            "keysPerSecond":500   | "keysPerSecond":-1  | keysPerSecond was -1, but must be a whole number within 0..2147483647
            "paused":true         | "paused":"yes"      | paused was yes, but must be true or false
            "retry":true          | "retry":1           | retry was 1, but must be true or false
            """)
    void whatIsWrongIsNamed(String good, String bad, String problem) {
        assertThat(problemsOf(JSON.replace(good, bad)))
                .extracting(Problem::toString)
                .containsExactly(problem);
    }

    @Test
    void aMistypedFieldIsRefusedWithTheOneThatWasMeant() {
        assertThat(problemsOf("{\"why\":\"w\",\"newPercnt\":5,\"paused\":true}"))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.path()).isEqualTo("newPercnt");
                    assertThat(problem.allowed()).contains("newPercent");
                });
    }

    @Test
    void aChangeOfNothingIsRefused() {
        assertThat(problemsOf("{\"why\":\"w\",\"version\":7}"))
                .extracting(Problem::path)
                .containsExactly("change");
        assertThat(problemsOf("{\"why\":\"w\",\"retry\":false}"))
                .extracting(Problem::path)
                .containsExactly("change");
    }

    @Test
    void onlyAChangeOfThePlanIsANewRevision() {
        assertThat(read("{\"why\":\"w\",\"paused\":false}").applyTo(BEFORE, 0, 0))
                .isEqualTo(new Directive(8, BEFORE.plan(), new Pace(500, false)));
        assertThat(read("{\"why\":\"w\",\"retry\":true}")
                        .applyTo(BEFORE, 0, 0)
                        .plan()
                        .revision())
                .isEqualTo(4);
    }

    @Test
    void whatProcessesHaveTakenIsOvertaken() {
        Directive after = MigrationChange.percent(30, "w").applyTo(BEFORE, 40, 9);

        assertThat(after.version()).isEqualTo(41);
        assertThat(after.plan().revision()).isEqualTo(10);
    }

    @Test
    void theWayBackTakesListsAndPauseAlong() {
        Directive held = new Directive(7, new Plan("inventory", 3, 0, Set.of("a"), Set.of("b")), new Pace(500, true));

        assertThat(MigrationChange.back("no good").applyTo(held, 0, 0))
                .isEqualTo(new Directive(8, new Plan("inventory", 4, 0, Set.of(), Set.of()), new Pace(500, false)));
    }

    @Test
    void everyContradictionIsNamed() {
        String json = "{\"why\":\"w\",\"newPercent\":100,\"heldBack\":[\"sku-a\",\"sku-b\"],\"keysPerSecond\":0}";

        assertThatThrownBy(() -> read(json).applyTo(BEFORE, 0, 0))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.problems())
                                .extracting(Problem::path)
                                .containsExactly("heldBack", "heldBack", "keysPerSecond"))
                .hasMessageContaining("must not hold a key that alsoNew sends to new")
                .hasMessageContaining("must not hold a key that newPercent 100 sends to new");
    }

    @Test
    void aReasonHasAnEnd() {
        assertThat(new MigrationRequest("inventory", "w".repeat(500)).why()).hasSize(500);
        assertThatThrownBy(() -> new MigrationRequest("inventory", "w".repeat(501)))
                .hasMessageStartingWith("why was 501 characters");
    }

    private static MigrationChange read(String json) {
        return MigrationChangeJson.readStrict(json.getBytes(UTF_8));
    }

    private static List<Problem> problemsOf(String json) {
        RefusedException refused = catchThrowableOfType(RefusedException.class, () -> read(json));
        return refused == null ? List.of() : refused.problems();
    }
}
