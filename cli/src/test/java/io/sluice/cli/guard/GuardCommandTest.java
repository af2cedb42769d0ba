package io.sluice.cli.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Ran;
import io.sluice.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardCommandTest {
    private static final String LINE = "must be latencyMillis,failed with failed 0 or 1, like 12.5,0";

    @Test
    @Requirement("B1")
    void saysNothingOfTooFewSamples() {
        assertThat(judged("10,0\n".repeat(99)))
                .isEqualTo(new Ran(
                        11,
                        "{\"verdict\":\"HOLD\",\"reason\":\"insufficient_samples\",\"samples\":99,\"errorRate\":0,"
                                + "\"p99Millis\":10}\n",
                        ""));
    }

    @Test
    @Requirement("B1")
    void exactlyTheMinimumIsJudged() {
        assertThat(judged("10,0\n".repeat(100)))
                .isEqualTo(
                        Ran.printed("{\"verdict\":\"HEALTHY\",\"reason\":\"healthy\",\"samples\":100,\"errorRate\":0,"
                                + "\"p99Millis\":10}"));
    }

    @Test
    @Requirement("B2")
    void threeFailuresMoreAreABreach() {
        assertThat(judged("10,0\n".repeat(100) + "10,1\n".repeat(3)))
                .isEqualTo(new Ran(
                        10,
                        "{\"verdict\":\"BREACH\",\"reason\":\"error_rate=0.0291>0.0200\",\"samples\":103,"
                                + "\"errorRate\":0.029126,\"p99Millis\":10}\n",
                        ""));
    }

    @Test
    @Requirement("B2")
    void twoSlowOnesOfAHundredAreABreach() {
        assertThat(judged("100,0\n".repeat(98) + "1000,0\n".repeat(2)))
                .isEqualTo(new Ran(
                        10,
                        "{\"verdict\":\"BREACH\",\"reason\":\"p99=1000ms>300ms\",\"samples\":100,\"errorRate\":0,"
                                + "\"p99Millis\":1000}\n",
                        ""));
    }

    @ParameterizedTest(name = "{0} slow of 100 at {1} ms, {2} failed: {3}")
    @Requirement("B2")
    @CsvSource({
        "0, 100,          2, 0",
        "0, 100,          3, 10",
        "1, 1000,         0, 0",
        "2, 300,          0, 0",
        "2, 300.000001,   0, 10",
        "2, 300.00000001, 0, 10",
        "2, 300.00000000, 0, 0",
        "2, 299.999999,   2, 0",
    })
    void moreThanALimitIsABreachAndTheLimitIsNot(int slow, String latency, int failed, int code) {
        String requests =
                "10,0\n".repeat(100 - slow - failed) + "10,1\n".repeat(failed) + (latency + ",0\n").repeat(slow);

        assertThat(judged(requests).code()).isEqualTo(code);
    }

    @Test
    @Requirement("B7")
    void noDataIsNotHealthy() {
        assertThat(judged(""))
                .isEqualTo(new Ran(
                        11,
                        "{\"verdict\":\"HOLD\",\"reason\":\"no_data\",\"samples\":0,\"errorRate\":null,"
                                + "\"p99Millis\":null}\n",
                        ""));
    }

    @Test
    void aRateMayBeAPercentage() {
        Ran ran = Ran.fed(
                "10,0\n".repeat(98) + "10,1\n".repeat(2),
                "guard",
                "--min-samples=100",
                "--max-error-rate=1.99%",
                "--max-p99=1s");

        assertThat(ran.code()).isEqualTo(10);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            NaN,0          | NaN,0
            Infinity,0     | Infinity,0
            -1,0           | -1,0
            1e3,0          | 1e3,0
            1              | 1
            1,0,0          | 1,0,0
            1,2            | 1,2
            1,true         | 1,true
            '1, 0'         | 1, 0
            .5,0           | .5,0
            9999999999,0   | 9999999999,0
            ''             | empty
            """)
    void aLineThatIsNoRequestIsRefused(String line, String was) {
        Ran ran = judged("10,0\n" + line + "\n");

        assertThat(ran).isEqualTo(Ran.refused("line 2 was " + was + ", but " + LINE));
    }

    @Test
    void everyBadOptionIsNamed() {
        assertThat(Ran.fed("", "guard", "--max-error-rate=101%", "--max-p99=300"))
                .isEqualTo(Ran.refused(
                        "--min-samples was missing, but must be within 1..1000000000",
                        "--max-error-rate was 101%, but must be a share like 0.02 or 2%, within 0..1, at most six"
                                + " decimals",
                        "--max-p99 was 300, but must be a duration like 300ms, 10s, 5m, 1h or 2d, at most 10000d"));
    }

    @Test
    void limitsOutOfRangeAreNamedAsOptions() {
        assertThat(Ran.fed("", "guard", "--min-samples=0", "--max-error-rate=0", "--max-p99=0ms"))
                .isEqualTo(Ran.refused(
                        "--min-samples was 0, but must be within 1..1000000000",
                        "--max-p99 was 0s, but must be within 1ms..10m"));
    }

    private static Ran judged(String requests) {
        return Ran.fed(requests, "guard", "--min-samples", "100", "--max-error-rate", "0.02", "--max-p99", "300ms");
    }
}
