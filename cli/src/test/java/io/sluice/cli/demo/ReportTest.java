package io.sluice.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.demo.load.Ledger;
import io.sluice.core.observation.Tally;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class ReportTest {
    private static final JsonNode ABORTED = new ObjectMapper().readTree("""
            {"release": {"id": "demo-1", "version": "v2.1.0", "why": "order: error_rate=0.0625>0.0200"},
             "outcome": "aborted",
             "stages": [
               {"percent": 1, "askedPercent": 1, "achievedPercent": 1.083, "errorPp": 0.083, "canary": 32,
                "stable": 2924, "failed": 2, "p99Millis": 41, "watchedMillis": 36100,
                "verdict": {"health": "BREACH", "reason": "error_rate=0.0625>0.0200"}},
               {"percent": 0, "askedPercent": 0, "achievedPercent": null, "errorPp": null, "canary": 0,
                "stable": 0, "failed": 0, "p99Millis": 0, "watchedMillis": 0}]}
            """);

    @Test
    void eachStageStandsWithWhatWasAskedAndWhatWasAchieved() {
        String report = new Report(ABORTED, figures(OptionalLong.empty()), OptionalLong.empty()).text();

        assertThat(report)
                .contains("release demo-1 of v2.1.0: aborted\n  because order: error_rate=0.0625>0.0200")
                .contains("1%  1.083% (off 0.083)       32    2,924    6.3%    41ms    36.1s  BREACH error_rate")
                .contains("0%         no requests        0        0       -");
    }

    @Test
    void anAbortStandsWithTheTimeThatItTook() {
        String report = new Report(ABORTED, figures(OptionalLong.of(seconds(12))), OptionalLong.of(seconds(10))).text();

        assertThat(report)
                .contains("first bad answer of the canary to the abort: 7.0s")
                .contains("abort to the last request that reached the canary: 2000ms");
    }

    @Test
    void theTimeToNoCanaryEndsWithItsLastRequest() {
        OptionalLong aborted = OptionalLong.of(seconds(10));

        assertThat(new Report(ABORTED, figures(OptionalLong.of(seconds(12))), aborted).timeToNoCanary())
                .hasValue(Duration.ofSeconds(9));
        assertThat(new Report(ABORTED, figures(OptionalLong.of(seconds(8))), aborted).timeToNoCanary())
                .hasValue(Duration.ofSeconds(7));
        assertThat(new Report(ABORTED, figures(OptionalLong.empty()), OptionalLong.empty()).timeToNoCanary())
                .isEmpty();
    }

    private static Ledger.Figures figures(OptionalLong lastCanarySent) {
        return new Ledger.Figures(
                Tally.empty(), Tally.empty(), 0, 0, 0, 0, 0, List.of(), OptionalLong.of(seconds(3)), lastCanarySent);
    }

    private static long seconds(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }
}
