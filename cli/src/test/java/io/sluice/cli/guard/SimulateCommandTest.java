package io.sluice.cli.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Ran;
import io.sluice.testing.Requirement;
import java.util.ArrayList;
import java.util.List;
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
        assertThat(stage.at("/detector/alpha").asDouble()).isEqualTo(0.0005);
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
                .contains("cannot be judged within its hold time: needs 100 requests, about 88 more requests,"
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
                .contains("stage 1: 1% of 20 requests a second for 1m, about 12 canary requests\n"
                        + "  cannot be judged within its hold time: needs 100 requests, about 88 more requests")
                .contains("stage 3: 100% of 20 requests")
                .contains("nothing is compared with stable");
        JsonNode stages = json(ran).get("stages");
        assertThat(stages.size()).isEqualTo(3);
        assertThat(stages.at("/1/judged").asBoolean()).isTrue();
        assertThat(stages.at("/2/detector").isNull()).isTrue();
        // One per cent among three stages, one service and the edges, errors and slow requests.
        assertThat(stages.at("/0/detector/alpha").asDouble()).isEqualTo(0.0008333);
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

    private static JsonNode simulated(String... options) {
        return json(ran(options));
    }

    private static JsonNode json(Ran ran) {
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out().lines()).hasSize(1);
        return JsonMapper.shared().readTree(ran.out());
    }

    private static Ran ran(String... options) {
        List<String> arguments = new ArrayList<>(List.of("guard", "simulate", "--runs=100"));
        arguments.addAll(List.of(options));
        return Ran.sluice(arguments.toArray(String[]::new));
    }
}
