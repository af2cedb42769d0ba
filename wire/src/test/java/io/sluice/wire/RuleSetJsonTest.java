package io.sluice.wire;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.core.decision.Aborted;
import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Percent;
import io.sluice.core.decision.Weighted;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("D6")
class RuleSetJsonTest {
    private static final String ALL_KINDS = """
            {"format":1,"epoch":1,"revision":12,"releases":[\
            {"id":"release-2026-10","version":"v2.1.0","services":["coupon","order","user"],\
            "salt":"release-2026-10","hash":"fnv1a-mixed","step":3,"percent":25,"allow":["vip-1","vip-2"],\
            "rules":[{"name":"beta","match":{"header":{"name":"X-Canary","value":"1"}},"percent":100},\
            {"name":"app","match":{"all":[{"channel":"app"},{"uidSuffix":"99"},{"uid":["a","b"]}]},"percent":0.5},\
            {"name":"cookie","match":{"cookie":{"name":"canary","value":"1"}},"percent":33.33}],\
            "slowerThan":"300ms"},\
            {"id":"gone","version":"v3","services":["stock"],"salt":"gone","hash":"fnv1a","step":4,\
            "aborted":"order: error_rate=0.0600>0.0200","rules":[],"slowerThan":"1s"}]}""";

    @Test
    void publishedDocumentIsReadAndWrittenBackByteForByte() {
        RuleSet rules = RuleSetJson.read(ALL_KINDS.getBytes(UTF_8));

        assertThat(new String(RuleSetJson.write(rules), UTF_8)).isEqualTo(ALL_KINDS);
        assertThat(RuleSetJson.readStrict(RuleSetJson.write(rules))).isEqualTo(rules);
    }

    @Test
    void handWrittenFileMayLeaveOutWhatHasADefault() {
        RuleSet rules = readStrict("""
                {"format": 1,
                 "releases": [{"id": "r", "version": "v2", "services": ["b", "a"], "percent": "10"}]}
                """);

        Bucketing bucketing = Bucketing.of(BucketHash.FNV1A_MIXED, "r");
        assertThat(rules)
                .isEqualTo(RuleSet.of(
                        0,
                        0,
                        List.of(new ReleaseRule(
                                "r",
                                "v2",
                                List.of("a", "b"),
                                new Weighted(bucketing, Percent.of(10), Set.of()),
                                List.of(),
                                0,
                                Duration.ofSeconds(1)))));
    }

    @Test
    void abortHoldsInAProcessWhateverItsReason() {
        RuleSet rules = RuleSetJson.read(bytes(oneRelease("\"aborted\":\"line 1\\nline 2\"")));
        RuleSet silent = RuleSetJson.read(bytes(oneRelease("\"aborted\":\"\"")));

        assertThat(rules.releases().get(0).split())
                .isEqualTo(new Aborted(Bucketing.of(BucketHash.FNV1A_MIXED, "r"), "abort:line 1\\u000aline 2"));
        assertThat(silent.releases().get(0).split().isAborted()).isTrue();
        assertThat(RuleSetJson.readStrict(RuleSetJson.write(silent))).isEqualTo(silent);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(value = {"'', empty", "a\\u0000b, a\\u0000b", "a\\n, a\\u000a", "\\u2028, \\u2028"})
    void whoWritesAnAbortHasToSayWhy(String why, String was) {
        assertThat(problemsOf(oneRelease("\"aborted\":\"" + why + "\"")))
                .extracting(Problem::toString)
                .containsExactly("releases[0].aborted was " + was + ", but must say why, without control characters");
    }

    @Test
    void pairThatNoRequestCanHaveIsRefusedByItsPath() {
        assertThat(problemsOf(oneRelease("""
                        "percent":1,"rules":[
                          {"name":"a","match":{"header":{"name":"X Canary","value":"1"}},"percent":1},
                          {"name":"b","match":{"all":[{"cookie":{"name":"c","value":"a;b"}}]},"percent":1}]""")))
                .extracting(Problem::path)
                .containsExactly(
                        "releases[0].rules[0].match.header.name", "releases[0].rules[1].match.all[0].cookie.value");
    }

    @ParameterizedTest(name = "percent {0}")
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "NaN, NaN",
                "\"NaN\", NaN",
                "Infinity, Infinity",
                "-Infinity, -Infinity",
                "-1, -1",
                "101, 101",
                "100.01, 100.01",
                "33.333, 33.333",
                "2147483648, 2147483648",
                "1e999, 1E+999",
                "1e999999999, 1E+999999999",
                "1e-999999999, 1E-999999999",
                "null, null",
                "\"\", empty",
                "true, true",
                "[], a list",
                "{}, an object",
                "\"10%\", 10%",
                "\"１０\", １０",
            })
    void percentThatIsNoneIsRefusedByItsName(String percent, String was) {
        List<Problem> problems = problemsOf(oneRelease("\"percent\":" + percent));

        assertThat(problems)
                .containsExactly(
                        new Problem("releases[0].percent", was, "must be within 0..100 with at most two decimals"));
    }

    @Test
    void missingPercentIsRefusedByItsName() {
        assertThat(problemsOf(oneRelease("\"step\":1")))
                .extracting(Problem::toString)
                .containsExactly(
                        "releases[0].percent was missing, but must be within 0..100 with at most two decimals");
    }

    @ParameterizedTest(name = "percent {0}")
    @CsvSource({"0,0", "-0,0", "0e999999999,0", "1e1,1000", "0.5,50", "25.00,2500", "\"33.33\",3333", "100,10000"})
    void percentMayBeWrittenAsNumberOrText(String percent, int basisPoints) {
        RuleSet rules = readStrict(oneRelease("\"percent\":" + percent));

        assertThat(rules.releases().get(0).split().percent()).isEqualTo(new Percent(basisPoints));
    }

    @Test
    void allProblemsAreNamedAtOnceEachWithItsPath() {
        List<Problem> problems = problemsOf("""
                {"format":1,"revision":-1,"releases":[
                  {"id":"Upper","version":"stable","services":["ok","not ok",7],"percent":10,"precent":1,
                   "rules":[{"name":"a","match":{"uid":["x"]},"percent":1},
                            {"name":"B","match":{"uid":[""]},"percent":2},
                            {"match":{"all":[{"channel":"app"},{"uidSuffix":9}]},"percent":300}]},
                  {"id":"r","version":"v2","services":"order","percent":10,"allow":["a",""],"slowerThan":"1 s"},
                  5]}
                """);

        assertThat(problems)
                .extracting(Problem::path)
                .containsExactlyInAnyOrder(
                        "revision",
                        "releases[0].id",
                        "releases[0].version",
                        "releases[0].services[1]",
                        "releases[0].services[2]",
                        "releases[0].precent",
                        "releases[0].rules[1].name",
                        "releases[0].rules[1].match.uid[0]",
                        "releases[0].rules[2].name",
                        "releases[0].rules[2].match.all[1].uidSuffix",
                        "releases[0].rules[2].percent",
                        "releases[1].services",
                        "releases[1].allow[1]",
                        "releases[1].slowerThan",
                        "releases[2]");
    }

    @Test
    void whatContradictsItselfIsRefusedWithItsPath() {
        List<Problem> problems = problemsOf("""
                {"format":1,"releases":[
                  {"id":"r","version":"v2","services":["a"],"percent":10,"aborted":"why"},
                  {"id":"r","version":"v2","services":["a"],"percent":10,
                   "rules":[{"name":"n","match":{"channel":"app"},"percent":1},
                            {"name":"n","match":{"channel":"web","uid":["1"]},"percent":1},
                            {"name":"m","match":{},"percent":1}]}]}
                """);

        assertThat(problems)
                .extracting(Problem::toString)
                .containsExactly(
                        "releases[0] was with percent and aborted, but must have one of the two",
                        "releases[1].rules[1].match was channel, uid,"
                                + " but must be exactly one of uid, uidSuffix, channel, header, cookie, all",
                        "releases[1].rules[2].match was empty,"
                                + " but must be exactly one of uid, uidSuffix, channel, header, cookie, all");
    }

    @Test
    void twoReleasesOfOneServiceAreRefused() {
        List<Problem> problems = problemsOf("""
                {"format":1,"releases":[{"id":"r","version":"v2","services":["a"],"percent":10},
                                        {"id":"s","version":"v2","services":["a"],"percent":10}]}
                """);

        assertThat(problems)
                .extracting(Problem::toString)
                .containsExactly("releases[1].services was a, but must not be in release r at the same time");
    }

    @Test
    void processPassesOverFieldsOfANewerServer() {
        byte[] newer = """
                {"format":1,"epoch":1,"revision":2,"signature":"x","releases":[\
                {"id":"r","version":"v2","services":["a"],"percent":10,"colour":{"deep":[1]},\
                "rules":[{"name":"n","match":{"header":{"name":"h","value":"v","flags":1}},"percent":1,"since":1}]}]}""".getBytes(UTF_8);

        assertThat(RuleSetJson.read(newer).revision()).isEqualTo(2);
        assertThat(problemsOf(new String(newer, UTF_8)))
                .extracting(Problem::path)
                .containsExactlyInAnyOrder(
                        "signature",
                        "releases[0].colour",
                        "releases[0].rules[0].since",
                        "releases[0].rules[0].match.header.flags");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"format\":2,\"releases\":7}|format was 2, but must be 1",
                "{\"format\":\"1\",\"releases\":[]}|format was 1, but must be a whole number within 0..9007199254740991",
                "{\"format\":1,\"releases\":[],\"revision\":9223372036854775807}|revision was 9223372036854775807,"
                        + " but must be a whole number within 0..9007199254740991",
                "{\"format\":1,\"releases\":[],\"revision\":18446744073709551615}|revision was 18446744073709551615,"
                        + " but must be a whole number within 0..9007199254740991",
                "{\"format\":1,\"releases\":[],\"epoch\":1e999999999}|epoch was 1E+999999999,"
                        + " but must be a whole number within 0..9007199254740991",
            })
    void processRefusesWhatItCannotUnderstand(String json, String problem) {
        RefusedException refused =
                catchThrowableOfType(RefusedException.class, () -> RuleSetJson.read(json.getBytes(UTF_8)));

        assertThat(refused.problems()).extracting(Problem::toString).containsExactly(problem);
    }

    @Test
    void processRefusesAnUnknownKindOfCondition() {
        byte[] json = """
                {"format":1,"releases":[{"id":"r","version":"v2","services":["a"],"percent":10,\
                "rules":[{"name":"n","match":{"country":"NO"},"percent":1}]}]}""".getBytes(UTF_8);

        RefusedException refused = catchThrowableOfType(RefusedException.class, () -> RuleSetJson.read(json));

        assertThat(refused.problems())
                .extracting(Problem::toString)
                .containsExactly("releases[0].rules[0].match was country,"
                        + " but must be exactly one of uid, uidSuffix, channel, header, cookie, all");
    }

    @ParameterizedTest(name = "{0} levels of all")
    @CsvSource({"1,true", "8,true", "9,false"})
    void conditionsNestAtMostEightDeep(int levels, boolean accepted) {
        String match = "{\"all\":[".repeat(levels) + "{\"channel\":\"app\"}" + "]}".repeat(levels);
        String json = oneRelease("\"percent\":1,\"rules\":[{\"name\":\"n\",\"percent\":1,\"match\":" + match + "}]");

        assertThat(isAccepted(json)).isEqualTo(accepted);
    }

    static Stream<Arguments> documentsThatAreNone() {
        return Stream.of(
                Arguments.of("nothing", bytes(""), "document was empty"),
                Arguments.of("spaces", bytes("  "), "document was missing"),
                Arguments.of("null", bytes("null"), "document was null"),
                Arguments.of("a list", bytes("[]"), "document was a list"),
                Arguments.of(
                        "half",
                        bytes("{\"format\":"),
                        "document was cut off, at line 1, column 11, but must be one JSON object"),
                Arguments.of(
                        "trailing text",
                        bytes("{\"format\":1,\"releases\":[]} x"),
                        "document was followed by something after its end, at line 1, column 28, but"),
                Arguments.of(
                        "two documents",
                        bytes("{}{}"),
                        "document was followed by something after its end, at line 1, column 3, but"),
                Arguments.of(
                        "duplicate key",
                        bytes("{\n\"format\":1,\n\"format\":1}"),
                        "document was with one key twice, at line 3, column "),
                Arguments.of("plus sign", bytes("{\"format\":+1}"), "document was no JSON, at line 1, column 12, but"),
                Arguments.of(
                        "a word after the end, two lines down",
                        bytes("{\"format\":1}\n\n {"),
                        "document was followed by something after its end, at line 3, column 2, but"),
                Arguments.of(
                        "a key twice further down",
                        bytes("{\"a\":{\"b\":1,\"b\":2}}"),
                        "document was with one key twice, at line 1, column "),
                Arguments.of("cut in a text", bytes("{\"a\":\"b"), "document was cut off, at line 1, column 8"),
                Arguments.of("cut in a list", bytes("{\"a\":["), "document was cut off, at line 1, column 7"),
                Arguments.of("comment", bytes("{/**/}"), "document was no JSON, at line 1, column 2, but"),
                Arguments.of("byte order mark", bytes("\ufeff{}"), "document was in another encoding"),
                Arguments.of("UTF-16 with mark", "{}".getBytes(UTF_16), "document was in another encoding"),
                Arguments.of("UTF-16, little end", "{}".getBytes(UTF_16LE), "document was in another encoding"),
                Arguments.of("UTF-16, big end", "{}".getBytes(UTF_16BE), "document was in another encoding"),
                Arguments.of("cut UTF-8", new byte[] {'{', '"', (byte) 0xc3, '"'}, "document was not UTF-8 at byte 2"),
                Arguments.of("Latin-1", new byte[] {'{', '"', (byte) 0xe9, '"'}, "document was not UTF-8 at byte 2"),
                Arguments.of("depth 33", bytes("{\"a\":".repeat(33)), "document was too deep or too long"),
                Arguments.of("depth 5,000", bytes("[".repeat(5_000)), "document was too deep or too long"),
                Arguments.of(
                        "long number",
                        bytes("{\"format\":" + "9".repeat(100_000) + "}"),
                        "document was too deep or too long"),
                Arguments.of("huge exponent", bytes("{\"format\":1e99999999999}"), "document was too deep or too long"),
                Arguments.of(
                        "long text",
                        bytes("{\"format\":\"" + "x".repeat((1 << 16) + 1) + "\"}"),
                        "document was too deep or too long"),
                Arguments.of(
                        "50 MB", new byte[50_000_000], "document was 50000000 bytes, but must be at most 1048576"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("documentsThatAreNone")
    @Timeout(5)
    void documentThatIsNoneIsRefusedWithOneClearProblem(String name, byte[] json, String problem) {
        RefusedException refused = catchThrowableOfType(RefusedException.class, () -> RuleSetJson.read(json));

        assertThat(refused.problems()).singleElement().asString().startsWith(problem);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"0,", "{},", "{\"rules\":[{},{},{}]},", "{\"a\":0,\"b\":0,\"c\":0},"})
    void hopelessDocumentIsNotAnsweredWithThousandsOfProblems(String element) {
        String elements = element.repeat(10_000);
        String json = "{\"format\":1,\"releases\":[" + elements.substring(0, elements.length() - 1) + "]}";

        assertThat(problemsOf(json)).hasSizeBetween(100, 200);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"\\ud800", "a\\udc00b"})
    void halfACharacterIsRefused(String half) {
        assertThat(problemsOf(oneRelease("\"percent\":1,\"salt\":\"" + half + "\"")))
                .extracting(Problem::toString)
                .containsExactly("releases[0].salt was a text with half a character,"
                        + " but must have each surrogate with its partner");
    }

    @Test
    void strangeFieldNameNeverActsInATerminal() {
        assertThat(problemsOf("{\"format\":1,\"releases\":[],\"\\u001b[31m\":1}"))
                .extracting(Problem::toString)
                .containsExactly("document was the unknown field \\u001b[31m,"
                        + " but must be one of format, epoch, revision, releases, channels");
    }

    private static String oneRelease(String more) {
        return "{\"format\":1,\"releases\":[{\"id\":\"r\",\"version\":\"v2\",\"services\":[\"a\"]," + more + "}]}";
    }

    private static RuleSet readStrict(String json) {
        return RuleSetJson.readStrict(json.getBytes(UTF_8));
    }

    private static boolean isAccepted(String json) {
        return catchThrowableOfType(RefusedException.class, () -> readStrict(json)) == null;
    }

    private static List<Problem> problemsOf(String json) {
        return catchThrowableOfType(RefusedException.class, () -> readStrict(json))
                .problems();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
