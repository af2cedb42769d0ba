package io.sluice.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.core.decision.Percent;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.Flow;
import io.sluice.core.rule.Renewal;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.tag.Color;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChannelJsonTest {
    private static final String CHANNELS = """
            {"format":1,"epoch":0,"revision":7,"releases":[],"channels":[\
            {"id":"trade","services":["inventory","order"],"flow":{"release":"trade-2026-11","version":"v2",\
            "admitted":"blue","bluePercent":0,"closed":"blue","step":3,"slowerThan":"300ms","overdueAfter":"1s"}},\
            {"id":"user","services":["user"],"resting":["user@10.0.0.7:8080","user@10.0.0.8:8080"],\
            "renewal":{"release":"user-2026-11","version":"v7","step":4,"slowerThan":"500ms","overdueAfter":"2s"}}]}""";

    @Test
    void documentIsReadAndWrittenBackByteForByte() {
        RuleSet rules = RuleSetJson.read(CHANNELS.getBytes(UTF_8));

        assertThat(rules.channels())
                .containsExactly(
                        new Channel(
                                "trade",
                                List.of("inventory", "order"),
                                new Flow(
                                        "trade-2026-11",
                                        "v2",
                                        Color.BLUE,
                                        Percent.ZERO,
                                        Color.BLUE,
                                        3,
                                        Duration.ofMillis(300),
                                        Duration.ofSeconds(1)),
                                Set.of()),
                        new Channel(
                                "user",
                                List.of("user"),
                                null,
                                Set.of("user@10.0.0.7:8080", "user@10.0.0.8:8080"),
                                new Renewal("user-2026-11", "v7", 4, Duration.ofMillis(500), Duration.ofSeconds(2))));
        assertThat(new String(RuleSetJson.write(rules), UTF_8)).isEqualTo(CHANNELS);
    }

    @Test
    void documentOfAProcessThatKnowsNoChannelsHasNone() {
        RuleSet rules = RuleSetJson.read("{\"format\":1,\"revision\":7,\"releases\":[]}".getBytes(UTF_8));

        assertThat(rules.channels()).isEmpty();
        assertThat(new String(RuleSetJson.write(rules), UTF_8)).doesNotContain("channels");
    }

    @Test
    void whatIsLeftOutHasADefault() {
        RuleSet rules = RuleSetJson.readStrict(CHANNELS.replace(",\"overdueAfter\":\"1s\"", "")
                .replace("\"closed\":\"blue\",", "")
                .replace(",\"overdueAfter\":\"2s\"", "")
                .getBytes(UTF_8));

        Flow flow = flowOf(rules);
        assertThat(flow).isNotNull();
        assertThat(flow.overdueAfter()).isEqualTo(Duration.ofMillis(300));
        assertThat(flow.closed()).isNull();
        Renewal renewal = rules.channels().get(1).renewal();
        assertThat(renewal).isNotNull();
        assertThat(renewal.overdueAfter()).isEqualTo(Duration.ofMillis(500));
    }

    @Requirement("F6")
    @ParameterizedTest(name = "percent {0}")
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "NaN",
                "\"NaN\"",
                "Infinity",
                "-Infinity",
                "-1",
                "101",
                "100.01",
                "33.333",
                "2147483648",
                "1e999",
                "1e999999999",
                "null",
                "\"\"",
                "\"10%\"",
                "true",
                "[]",
                "{}"
            })
    void shareThatIsNoPercentRefusesTheWholeDocument(String percent) {
        String json = CHANNELS.replace("\"bluePercent\":0", "\"bluePercent\":" + percent);

        assertThat(problemsOf(json)).singleElement().satisfies(problem -> {
            assertThat(problem.path()).isEqualTo("channels[0].flow.bluePercent");
            assertThat(problem.allowed()).isEqualTo(Percent.ALLOWED);
        });
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "\"admitted\":\"blue\"|\"admitted\":\"red\"|channels[0].flow.admitted was red, but must be blue or green",
                "\"admitted\":\"blue\"|\"admitted\":\"Blue\"|channels[0].flow.admitted was Blue, but must be blue or green",
                "\"admitted\":\"blue\"|\"admitted\":\"\"|channels[0].flow.admitted was empty, but must be blue or green",
                "\"closed\":\"blue\"|\"closed\":\"green\"|channels[0].flow.closed was green, but must be a side without a"
                        + " share, and has 100%",
                "\"closed\":\"blue\"|\"closed\":null|channels[0].flow.closed was null, but must be a text",
                "\"services\":[\"user\"]|\"services\":[]|channels[1].services was empty, but must name at least one"
                        + " service",
                "\"services\":[\"user\"]|\"services\":[\"order\"]|channels[1].services was order, but must not be in"
                        + " channel trade at the same time",
                "\"id\":\"user\"|\"id\":\"trade\"|channels[1].id was trade, but must be used once",
                "\"id\":\"user\"|\"id\":\"../x\"|channels[1].id was ../x, but must match [a-z0-9][a-z0-9._-]{0,63}"
                        + " (lower case)",
                "\"step\":3|\"step\":-1|channels[0].flow.step was -1, but must be a whole number within"
                        + " 0..9007199254740991",
                "\"slowerThan\":\"300ms\"|\"slowerThan\":\"0s\"|channels[0].flow.slowerThan was 0ms, but must be longer"
                        + " than zero",
                "\"step\":4|\"step\":-1|channels[1].renewal.step was -1, but must be a whole number within"
                        + " 0..9007199254740991",
                "\"version\":\"v7\"|\"version\":\"stable\"|channels[1].renewal.version was stable, but must be the new"
                        + " version, and 'stable' means every other one",
                "\"slowerThan\":\"500ms\"|\"slowerThan\":\"0s\"|channels[1].renewal.slowerThan was 0ms, but must be"
                        + " longer than zero",
                "\"release\":\"user-2026-11\"|\"release\":\"trade-2026-11\"|channels[1].renewal.release was"
                        + " trade-2026-11, but must be used once",
                "\"version\":\"v2\"|\"version\":\"stable\"|channels[0].flow.version was stable, but must be the new"
                        + " version, and 'stable' means every other one"
            })
    void whatIsWrongIsNamed(String good, String bad, String problem) {
        assertThat(problemsOf(CHANNELS.replace(good, bad)))
                .extracting(Problem::toString)
                .containsExactly(problem);
    }

    @Test
    void fileOfAPersonMayHaveNoUnknownField() {
        assertThat(problemsOf(CHANNELS.replace("\"closed\"", "\"closes\"")))
                .extracting(Problem::path)
                .containsExactly("channels[0].flow.closes");
        assertThat(RuleSetJson.read(CHANNELS.replace("\"closed\"", "\"closes\"").getBytes(UTF_8))
                        .channels())
                .hasSize(2);
    }

    private static @Nullable Flow flowOf(RuleSet rules) {
        return rules.channels().get(0).flow();
    }

    private static List<Problem> problemsOf(String json) {
        RefusedException refused =
                catchThrowableOfType(RefusedException.class, () -> RuleSetJson.readStrict(json.getBytes(UTF_8)));
        return refused == null ? List.of() : refused.problems();
    }
}
