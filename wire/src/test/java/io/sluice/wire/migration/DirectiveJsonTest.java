package io.sluice.wire.migration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.core.decision.KeyBucket;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.migration.plan.Directive;
import io.sluice.migration.plan.Pace;
import io.sluice.migration.plan.Plan;
import io.sluice.testing.Requirement;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
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

@Requirement("I8")
class DirectiveJsonTest {
    private static final String JSON = """
            {"version":7,"plan":{"migration":"inventory","revision":3,"newPercent":20,"alsoNew":["sku-a","sku-b"],\
            "heldBack":["sku-1"]},"pace":{"keysPerSecond":500,"paused":true}}""";

    @Test
    void aDirectiveIsReadAndWrittenBackByteForByte() {
        Directive directive = DirectiveJson.read(JSON.getBytes(UTF_8));

        assertThat(directive)
                .isEqualTo(new Directive(
                        7,
                        new Plan("inventory", 3, 20, Set.of("sku-b", "sku-a"), Set.of("sku-1")),
                        new Pace(500, true)));
        assertThat(new String(DirectiveJson.write(directive), UTF_8)).isEqualTo(JSON);
    }

    @Property(tries = 200)
    void whatIsWrittenIsReadAndEqualDirectivesAreEqualBytes(@ForAll("directives") Directive directive) {
        byte[] json = DirectiveJson.write(directive);

        assertThat(DirectiveJson.read(json)).isEqualTo(directive);
        assertThat(DirectiveJson.write(DirectiveJson.read(json))).isEqualTo(json);
    }

    @Provide
    Arbitrary<Directive> directives() {
        Arbitrary<Set<String>> keys = Arbitraries.strings()
                .withCharRange(' ', '~')
                .withCharRange('\u4e00', '\u9fff')
                .ofMinLength(1)
                .ofMaxLength(255)
                .set()
                .ofMaxSize(10);
        return Combinators.combine(
                        Arbitraries.longs().between(1, (1L << 53) - 1),
                        Arbitraries.longs().between(1, 1L << 42),
                        Arbitraries.integers().between(0, 100),
                        keys,
                        keys,
                        Arbitraries.integers().between(1, 100_000),
                        Arbitraries.of(true, false))
                .as((version, revision, percent, alsoNew, held, rate, paused) -> new Directive(
                        version,
                        new Plan("inventory", revision, percent, alsoNew, free(held, alsoNew, percent)),
                        new Pace(rate, paused)));
    }

    private static Set<String> free(Set<String> held, Set<String> alsoNew, int percent) {
        return held.stream()
                .filter(key -> !alsoNew.contains(key) && KeyBucket.of(key) >= percent)
                .collect(Collectors.toSet());
    }

    @Test
    void theLongestListsFitIntoADocument() {
        Set<String> first = keys("漢");
        Set<String> second = keys("字");
        Directive directive = new Directive(1, new Plan("inventory", 1, 0, first, second), Pace.DEFAULT);

        assertThat(DirectiveJson.read(DirectiveJson.write(directive))).isEqualTo(directive);
    }

    private static Set<String> keys(String letter) {
        return IntStream.range(0, Plan.LONGEST_LIST)
                .mapToObj(i -> String.format("%05d", i) + letter.repeat(250))
                .collect(Collectors.toSet());
    }

    @Test
    void aDirectiveOfANewerServerIsRead() {
        String json = JSON.replace("{\"version\"", "{\"by\":\"a\",\"version\"")
                .replace("\"pace\":{", "\"pace\":{\"burst\":3,");

        assertThat(DirectiveJson.read(json.getBytes(UTF_8)).version()).isEqualTo(7);
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            "version":7                 | "version":0                   | version was 0, but must be a whole number within 1..9007199254740991
            "migration":"inventory"     | "migration":"In ventory"      | 'plan.migration was In ventory, but must have 1..63 of a-z 0-9 -, starting with a letter'
            "revision":3                | "revision":0                  | plan.revision was 0, but must be a whole number within 1..9007199254740991
            "revision":3                | "revision":4398046511105      | plan.revision was 4398046511105, but must be within 1..4398046511104
            "newPercent":20             | "newPercent":101              | plan.newPercent was 101, but must be a whole number within 0..100
            "newPercent":20             | "newPercent":20.5             | plan.newPercent was 20.5, but must be a whole number within 0..100
            "newPercent":20             | "newPercent":null             | plan.newPercent was null, but must be a whole number within 0..100
            ["sku-a","sku-b"]           | ["sku-a","sku-a"]             | plan.alsoNew was sku-a, but must be named once
            ["sku-a","sku-b"]           | ["sku-1"]                     | plan.heldBack was sku-1, but must not hold a key that alsoNew sends to new
            ["sku-a","sku-b"]           | [7]                           | plan.alsoNew[0] was 7, but must be a text
            ["sku-a","sku-b"]           | [""]                          | 'plan.alsoNew.key was empty, but must have 1..255 characters, none of them a control character'
            ["sku-1"]                   | "sku-1"                       | plan.heldBack was sku-1, but must be a list of texts
            ,"heldBack":["sku-1"]       | ''                            | plan.heldBack was missing, but must be a list of texts
            "keysPerSecond":500         | "keysPerSecond":0             | pace.keysPerSecond was 0, but must be within 1..100000
            "paused":true               | "paused":"yes"                | pace.paused was yes, but must be true or false
            """)
    void whatIsWrongIsNamed(String good, String bad, String problem) {
        assertThat(problemsOf(JSON.replace(good, bad)))
                .extracting(Problem::toString)
                .containsExactly(problem);
    }

    @Test
    void everythingWrongIsNamedTogether() {
        assertThat(problemsOf("{\"plan\":{},\"pace\":{}}"))
                .extracting(Problem::path)
                .containsExactly(
                        "version",
                        "plan.migration",
                        "plan.revision",
                        "plan.newPercent",
                        "plan.alsoNew",
                        "plan.heldBack",
                        "pace.keysPerSecond",
                        "pace.paused");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"", "[]", "null", "7", "{", "{} {}", "{\"version\":1,\"version\":1}", "\ufeff{}"})
    void whatIsNoDocumentIsRefused(String json) {
        assertThat(problemsOf(json)).isNotEmpty();
    }

    private static List<Problem> problemsOf(String json) {
        RefusedException refused =
                catchThrowableOfType(RefusedException.class, () -> DirectiveJson.read(json.getBytes(UTF_8)));
        return refused == null ? List.of() : refused.problems();
    }
}
