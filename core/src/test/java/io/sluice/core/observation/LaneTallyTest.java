package io.sluice.core.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LaneTallyTest {
    private static final Duration LIMIT = Duration.ofMillis(300);

    @Requirement("B7")
    @Test
    void aLevelThatSoFewRequestsCannotBringAboutIsLowered() {
        LaneTally tally = failed(5, 40).plausible();

        assertThat(tally.customers().failed().level()).isEqualTo(2);
        assertThat(tally.requests().failed()).isEqualTo(5);
    }

    @Test
    void aLevelThatManyFailuresBroughtAboutStays() {
        LaneTally tally = failed(1_000, 9);

        assertThat(tally.plausible()).isSameAs(tally);
    }

    private static LaneTally failed(long requests, int level) {
        CustomerTally customers = new CustomerTally(
                CustomerSketch.empty(),
                CustomerSample.of(level, CustomerSample.MOST_IN_REPORT, LongStream.empty()),
                CustomerSample.empty(),
                0,
                0,
                0);
        return new LaneTally(SampleTally.of(requests, requests, Duration.ofMillis(1), LIMIT), customers, 0);
    }
}
