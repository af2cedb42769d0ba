package io.sluice.cli.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Ran;
import io.sluice.testing.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SimulateCommandTest {
    private static final String PLAN = """
            {"id": "release-2026-10", "version": "v2.1.0", "services": ["order"], "allow": ["vip-1"],
             "plan": {"stages": [{"percent": 1, "hold": "1m"}, {"percent": 50, "hold": "1m"}, {"percent": 100, "hold": "10s"}]},
             "guard": {"minSamples": 100, "maxErrorRate": "1%", "maxP99": "500ms"}}
            """;

    @Test
    @Requirement("B1")
    void saysHowOftenAHardLimitTakesBackAHealthyCanaryAndHowSeldomTheComparison() {
        JsonNode stage = simulated("--base-error=0.5%", "--rps=80", "--share=10%")
                .get("stages")
                .get(0);

        assertThat(stage.at("/hardLimits/falseAborts/rate").asDouble()).isBetween(0.2, 0.5);
        assertThat(stage.at("/detector/falseAborts/rate").asDouble()).isLessThanOrEqualTo(0.01);
        assertThat(stage.at("/detector/alpha").asDouble()).isEqualTo(0.000625);
        assertThat(stage.get("judged").asBoolean()).isTrue();
    }

    @Test
    void saysHowSoonBreaksOfTwoFourAndTwelveTimesAreFound() {
        JsonNode breaks =
                simulated("--base-error=0.5%", "--rps=80", "--share=10%").at("/stages/0/breaks");

        assertThat(breaks.size()).isEqualTo(3);
        assertThat(breaks.at("/0/canaryError").asDouble()).isEqualTo(0.01);
        assertThat(breaks.at("/2/canaryError").asDouble()).isEqualTo(0.06);
        assertThat(breaks.at("/2/foundInHold").asDouble()).isEqualTo(1);
        assertThat(breaks.at("/2/detector/medianRequests").asDouble()).isBetween(50.0, 300.0);
        assertThat(breaks.at("/1/detector/medianRequests").asDouble()).isBetween(300.0, 1500.0);
    }

    @Test
    @Requirement("B8")
    void aSmallServiceLearnsHowMuchMoreItNeeds() {
        Ran ran = ran("--base-error=0.5%", "--rps=2", "--share=1", "--canary-error=6%");

        assertThat(ran.err())
                .contains("cannot be judged within its hold time: needs 100 requests, about 88 more,"
                        + " about 73 minutes more");
        JsonNode stage = json(ran).at("/stages/0");
        assertThat(stage.get("judged").asBoolean()).isFalse();
        assertThat(stage.get("moreRequests").asLong()).isEqualTo(88);
        assertThat(stage.get("minutesNeeded").asDouble()).isEqualTo(83.33);
    }

    @Test
    @Requirement("B8")
    void aPlanIsPlayedStageByStage() {
        Ran ran = Ran.fed(
                PLAN,
                "guard",
                "simulate",
                "--base-error=0.5%",
                "--rps=20",
                "--plan=-",
                "--canary-error=6%",
                "--runs=100");

        assertThat(ran.code()).isZero();
        assertThat(ran.err())
                .contains("stage 1 of 3: 1% of 20 requests a second for 1 minute, about 12 canary requests\n"
                        + "  cannot be judged within its hold time: needs 100 requests, about 88 more")
                .contains("stage 3 of 3: 100% of 20 requests")
                .contains("nobody left to compare with");
        JsonNode stages = json(ran).get("stages");
        assertThat(stages.size()).isEqualTo(3);
        assertThat(stages.at("/1/judged").asBoolean()).isTrue();
        assertThat(stages.at("/2/detector").isNull()).isTrue();
        // One per cent among the two stages that compare, one service and the edges, errors and slow requests.
        assertThat(stages.at("/0/detector/alpha").asDouble()).isEqualTo(0.00125);
    }

    @Test
    void customersWhoTryAgainAreNoReasonForTheComparison() {
        JsonNode stage = simulated(
                        "--base-error=0.5%",
                        "--rps=80", "--share=10", "--customers=2000", "--retries=5", "--hold=3m", "--canary-error=6%")
                .at("/stages/0");

        assertThat(stage.at("/detector/falseAborts/rate").asDouble()).isLessThanOrEqualTo(0.01);
        assertThat(stage.at("/hardLimits/falseAborts/rate").asDouble()).isGreaterThan(0.2);
    }

    @Test
    void theSameInputGivesTheSameOutputAndAnotherSeedAnother() {
        String[] given = {"--base-error=0.5%", "--rps=80", "--share=5", "--hold=2m"};

        assertThat(ran(given)).isEqualTo(ran(given));
        assertThat(ran("--base-error=0.5%", "--rps=80", "--share=5", "--hold=2m", "--seed=2")
                        .out())
                .isNotEqualTo(ran(given).out());
    }

    @Test
    void everyBadOptionIsNamed() {
        assertThat(Ran.sluice(
                        "guard",
                        "simulate",
                        "--base-error=x",
                        "--rps=0",
                        "--alpha=0",
                        "--canary-error=0",
                        "--hold=1s",
                        "--runs=3",
                        "--retries=1"))
                .isEqualTo(Ran.refused(
                        "--base-error was x, but must be a share like 0.02 or 2%, within 0..1, at most six decimals",
                        "--rps was 0, but must be within 0.001..10000000, requests a second",
                        "--retries was 1, but must come with --customers, whose failed requests are tried again",
                        "--canary-error was 0, but must be more than --base-error",
                        "--share was missing, but must be within 0..100 with at most two decimals",
                        "--hold was 1s, but must be within 10s..30d",
                        "--alpha was 0, but must be within 0.000001..0.5, like 0.01 or 1%, at most six decimals",
                        "--runs was 3, but must be within 100..100000"));
    }

    @Test
    void whatThePlanSaysMustNotBeGivenBesideIt() {
        assertThat(Ran.fed(
                        PLAN, "guard", "simulate", "--base-error=0", "--rps=1", "--plan=-", "--share=1", "--alpha=5%"))
                .isEqualTo(Ran.refused(
                        "--share was 1, but must be left out with --plan, which says it",
                        "--alpha was 5%, but must be left out with --plan, which says it"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            --share=0            | --share was 0, but must be more than 0
            --share=101          | --share was 101, but must be within 0..100 with at most two decimals
            --rps=10000001       | --rps was 10000001, but must be within 0.001..10000000, requests a second
            --rps=-1             | --rps was -1, but must be within 0.001..10000000, requests a second
            --customers=0        | --customers was 0, but must be within 1..1000000
            --comparisons=0      | --comparisons was 0, but must be within 1..100000
            --min-samples=0      | --min-samples was 0, but must be within 1..1000000000
            --seed=x             | --seed was x, but must be within 0..9223372036854775807
            --plan=none.json     | --plan was none.json, but must be a file that can be read, or -
            """)
    void aBadValueIsRefused(String option, String message) {
        List<String> arguments =
                new ArrayList<>(List.of("guard", "simulate", "--base-error=1%", "--rps=80", "--share=1"));
        arguments.removeIf(given -> given.startsWith(option.substring(0, option.indexOf('='))));
        arguments.add(option);
        if (option.startsWith("--plan")) {
            arguments.remove("--share=1");
        }

        assertThat(Ran.sluice(arguments.toArray(String[]::new))).isEqualTo(Ran.refused(message));
    }

    @Test
    void customersBeyondWhatCanBePlayedAreRefused() {
        assertThat(Ran.sluice(
                        "guard",
                        "simulate",
                        "--base-error=1%",
                        "--rps=100000",
                        "--share=1",
                        "--hold=1d",
                        "--customers=10"))
                .isEqualTo(Ran.refused(
                        "--customers was 10, but must be left out where so many requests come within the hold time"));
    }

    @Test
    void aStageOfTheAllowlistAloneIsCountedAndNamed() {
        Ran ran = plan("""
                {"stages": [{"percent": 0, "hold": "1h"}, {"percent": 10, "hold": "1m"}, {"percent": 100, "hold": "0s"}]}
                """, "--rps=20");

        assertThat(ran.err())
                .contains("stage 1 of 3: 0%: only the allowlist; not simulated; needs 100 requests of its own\n"
                        + "stage 2 of 3: 10% of 20 requests")
                .contains("stage 3 of 3: 100%: not held; not simulated");
        JsonNode out = json(ran);
        assertThat(out.get("notPlayed").size()).isEqualTo(2);
        assertThat(out.at("/notPlayed/0/stage").asInt()).isEqualTo(1);
        assertThat(out.at("/notPlayed/0/why").asString()).isEqualTo("only the allowlist");
        assertThat(out.at("/stages/0/stage").asInt()).isEqualTo(2);
    }

    @Test
    @Requirement("B8")
    void aPlanTooShortForItsOwnRequestsPerSecondIsAnswered() {
        Ran ran = plan("""
                {"stages": [{"percent": 1, "hold": "1m"}, {"percent": 100, "hold": "1m"}],
                 "requestsPerSecond": 20, "pace": "evidence"}
                """);

        assertThat(ran.err())
                .contains("cannot be judged within its hold time: needs 357 requests, about 345 more, about 29 minutes"
                        + " more\n  pace evidence: needs 357 requests, if none fails");
        assertThat(json(ran).get("rps").asInt()).isEqualTo(20);
    }

    @Test
    void problemsOfThePlanKeepTheirPathsBesideThoseOfOptions() {
        assertThat(Ran.fed(
                        PLAN.replace("\"hold\": \"1m\"", "\"hold\": \"1x\"").replace("100, \"maxE", "0, \"maxE"),
                        "guard",
                        "simulate",
                        "--base-error=x",
                        "--plan=-"))
                .isEqualTo(Ran.refused(
                        "standard input: plan.stages[0].hold was 1x, but must be a duration like 300ms, 10s, 5m, 1h or"
                                + " 2d, at most 10000d",
                        "standard input: plan.stages[1].hold was 1x, but must be a duration like 300ms, 10s, 5m, 1h or"
                                + " 2d, at most 10000d",
                        "standard input: guard.minSamples was 0, but must be within 1..1000000000",
                        "--base-error was x, but must be a share like 0.02 or 2%, within 0..1, at most six decimals"));
    }

    @Test
    void aPlanThatDoesNotSayWhatComesNeedsTheOption() {
        assertThat(Ran.fed(PLAN, "guard", "simulate", "--base-error=1%", "--plan=-"))
                .isEqualTo(Ran.refused("--rps was missing, but must be within 0.001..10000000, requests a second"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            0    | no bad canary is played: there is no twice 0%; say with --canary-error
            100% | no bad canary is played: nothing is worse than 100%
            """)
    void whereNothingIsTwiceAsBadItSaysSo(String base, String words) {
        assertThat(ran("--base-error=" + base, "--rps=80", "--share=10", "--hold=1m")
                        .err())
                .contains(words);
    }

    @Test
    @Requirement("B1")
    void theFirstLineSaysWhichLimitWouldErrLess() {
        Ran ran = ran("--base-error=0.5%", "--rps=80", "--share=1", "--runs=1000", "--canary-error=6%");

        assertThat(ran.err().lines().findFirst())
                .hasValue("with maxErrorRate 1% every third healthy release is taken back by the hard limit; at 3% it"
                        + " would be under 1%");
        double today = json(ran).at("/falseAborts/hardLimits").asDouble();
        double then = json(ran("--base-error=0.5%", "--rps=80", "--share=1", "--max-error-rate=3%"))
                .at("/falseAborts/hardLimits")
                .asDouble();
        assertThat(today).isGreaterThan(0.2);
        assertThat(then).isLessThanOrEqualTo(0.02);
    }

    @Test
    void ofAVeryLongStageTheFirstPartIsPlayed() {
        Ran ran = Ran.sluice(
                "guard", "simulate", "--base-error=1%", "--rps=80", "--share=10", "--hold=30d", "--canary-error=12%");

        assertThat(ran.err())
                .contains("for 30 days")
                .contains("; only the first ")
                .contains("fewer runs than the usual 2000, to be done soon; --runs N plays more");
        assertThat(json(ran).get("runs").asInt()).isEqualTo(20);
    }

    private static Ran plan(String stages, String... options) {
        List<String> arguments = new ArrayList<>(
                List.of("guard", "simulate", "--base-error=0.5%", "--plan=-", "--runs=100", "--canary-error=6%"));
        arguments.addAll(List.of(options));
        String document = PLAN.replaceFirst("(?s)\"plan\": .*?]},", "\"plan\": " + stages.strip() + ",");
        return Ran.fed(document, arguments.toArray(String[]::new));
    }

    private static JsonNode simulated(String... options) {
        return json(ran(options));
    }

    private static JsonNode json(Ran ran) {
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out().lines()).hasSize(1);
        return JsonMapper.shared().readTree(ran.out());
    }

    private static Ran ran(String... options) {
        List<String> arguments = new ArrayList<>(List.of("guard", "simulate"));
        if (Stream.of(options).noneMatch(each -> each.startsWith("--runs"))) {
            arguments.add("--runs=100");
        }
        arguments.addAll(List.of(options));
        return Ran.sluice(arguments.toArray(String[]::new));
    }
}
