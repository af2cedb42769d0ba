package io.sluice.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.tag.Color;
import java.util.List;
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

class WorkloadReportJsonTest {
    private static final String JSON = """
            {"service":"order","instance":"order@127.0.0.1:8081","color":"blue","version":"v2","ready":true,\
            "registered":false,"requests":120,"underWay":3,"crossed":0,"epoch":1,"revision":7,\
            "refusal":"rules 1.8: channels[0].flow.admitted was red, but must be blue or green","leaving":true}""";

    @Test
    void reportIsReadAndWrittenBackByteForByte() {
        WorkloadReport report = WorkloadReportJson.read(JSON.getBytes(UTF_8));

        assertThat(report)
                .isEqualTo(new WorkloadReport(
                        "order",
                        "order@127.0.0.1:8081",
                        Color.BLUE,
                        "v2",
                        true,
                        false,
                        120,
                        3,
                        0,
                        1,
                        7,
                        "rules 1.8: channels[0].flow.admitted was red, but must be blue or green",
                        true));
        assertThat(new String(WorkloadReportJson.write(report), UTF_8)).isEqualTo(JSON);
    }

    @Property
    void whatIsWrittenIsRead(@ForAll("reports") WorkloadReport report) {
        assertThat(WorkloadReportJson.read(WorkloadReportJson.write(report))).isEqualTo(report);
    }

    @Provide
    Arbitrary<WorkloadReport> reports() {
        Arbitrary<Long> counts = Arbitraries.longs().between(0, Fields.LARGEST_WHOLE);
        Arbitrary<String> refusals = Arbitraries.strings().ascii().ofMaxLength(200);
        return Combinators.combine(
                        Arbitraries.of(Color.class).injectNull(0.3),
                        Arbitraries.of("stable", "v2", "2026.11.1"),
                        Arbitraries.of(true, false).list().ofSize(3),
                        counts.list().ofSize(5),
                        refusals)
                .as((color, version, flags, numbers, refusal) -> new WorkloadReport(
                        "order",
                        "order@127.0.0.1:8081",
                        color,
                        version,
                        flags.get(0),
                        flags.get(1),
                        numbers.get(0),
                        numbers.get(1),
                        numbers.get(2),
                        numbers.get(3),
                        numbers.get(4),
                        refusal,
                        flags.get(2)));
    }

    @Test
    void reportOfANewerProcessIsRead() {
        String json = JSON.replace("{\"service\"", "{\"zone\":\"a\",\"service\"");

        assertThat(WorkloadReportJson.read(json.getBytes(UTF_8)).service()).isEqualTo("order");
    }

    @Test
    void gatewayHasNoColor() {
        String json = JSON.replace("\"color\":\"blue\",", "");

        assertThat(WorkloadReportJson.read(json.getBytes(UTF_8)).color()).isNull();
        assertThat(WorkloadReportJson.write(WorkloadReportJson.read(json.getBytes(UTF_8))))
                .asString(UTF_8)
                .isEqualTo(json);
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "\"color\":\"blue\"|\"color\":\"red\"|color was red, but must be blue or green",
                "\"color\":\"blue\"|\"color\":\"BLUE\"|color was BLUE, but must be blue or green",
                "\"color\":\"blue\"|\"color\":null|color was null, but must be a text",
                "\"color\":\"blue\"|\"color\":1|color was 1, but must be a text",
                "\"service\":\"order\"|\"service\":\"a b\"|service was a b, but must match"
                        + " [A-Za-z0-9][A-Za-z0-9._-]{0,127}",
                "order@127.0.0.1:8081|order 1|instance was order 1, but must match [A-Za-z0-9][A-Za-z0-9._:@/-]{0,255}",
                "\"version\":\"v2\"|\"version\":\"\"|version was empty, but must match [A-Za-z0-9][A-Za-z0-9._-]{0,63}",
                "\"ready\":true|\"ready\":\"yes\"|ready was yes, but must be true or false",
                "\"registered\":false|\"registered\":0|registered was 0, but must be true or false",
                "\"requests\":120|\"requests\":-1|requests was -1, but must be a whole number within"
                        + " 0..9007199254740991",
                "\"requests\":120|\"requests\":1e999|requests was 1E+999, but must be a whole number within"
                        + " 0..9007199254740991",
                "\"requests\":120|\"requests\":null|requests was null, but must be a whole number within"
                        + " 0..9007199254740991",
                "\"underWay\":3|\"underWay\":3.5|underWay was 3.5, but must be a whole number within"
                        + " 0..9007199254740991",
                "\"revision\":7|\"revision\":9223372036854775807|revision was 9223372036854775807, but must be a whole"
                        + " number within 0..9007199254740991",
                "\"crossed\":0,|''|crossed was missing, but must be a whole number within 0..9007199254740991"
            })
    void whatIsWrongIsNamed(String good, String bad, String problem) {
        assertThat(problemsOf(JSON.replace(good, bad)))
                .extracting(Problem::toString)
                .containsExactly(problem);
    }

    @Test
    void everythingWrongIsNamedTogether() {
        assertThat(problemsOf("{}"))
                .extracting(Problem::path)
                .containsExactly(
                        "service",
                        "instance",
                        "version",
                        "ready",
                        "registered",
                        "requests",
                        "underWay",
                        "crossed",
                        "epoch",
                        "revision");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"", "[]", "null", "7", "{", "{} {}", "{\"service\":\"a\",\"service\":\"b\"}", "\ufeff{}"})
    void whatIsNoDocumentIsRefused(String json) {
        assertThat(problemsOf(json)).isNotEmpty();
    }

    @Test
    void refusalOfAThousandWordsIsRefusedItself() {
        String json = JSON.replace("rules 1.8", "x".repeat(2000));

        assertThat(problemsOf(json)).extracting(Problem::path).containsExactly("refusal");
    }

    private static List<Problem> problemsOf(String json) {
        RefusedException refused =
                catchThrowableOfType(RefusedException.class, () -> WorkloadReportJson.read(json.getBytes(UTF_8)));
        return refused == null ? List.of() : refused.problems();
    }
}
