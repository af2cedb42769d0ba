package io.sluice.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.observation.SampleTally;
import io.sluice.core.observation.Tally;
import io.sluice.testing.Requirement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement("B1")
class ClearanceTest {
    /** All that can happen with so many requests, weighed, of a canary at its limit and above. */
    @ParameterizedTest(name = "limit {0}, canary at {1}")
    @CsvSource({"0.02, 0.02", "0.02, 0.05", "0.5, 0.5", "0.5, 0.9", "0.000001, 0.000001", "0.999999, 1"})
    void noEvidenceIsExpectedWhereTheLimitIsNotKept(double limit, double rate) {
        for (int count : new int[] {1, 5, 100}) {
            double sum = 0;
            for (int failed = 0; failed <= count; failed++) {
                sum += Chances.weighed(Chances.binomial(count, failed, rate), Clearance.evidence(limit, count, failed));
            }
            assertThat(sum).isLessThanOrEqualTo(1 + 1e-9);
        }
    }

    @ParameterizedTest(name = "{2} of {1} failed, limit {0}: {3}")
    @CsvSource({
        "2%, 150, 0, false",
        "2%, 215, 0, true",
        "2%, 215, 3, false",
        "2%, 1000, 3, true",
        "2%, 1000, 20, false",
        "0%, 1000000, 0, false",
        "100%, 0, 0, true"
    })
    void aLimitIsShownToBeKept(String limit, long count, long failed, boolean shown) {
        Tally tally = SampleTally.of(count, failed, Duration.ofMillis(10), Duration.ofMillis(300));

        assertThat(Clearance.isShown(ErrorRate.parse(limit), tally)).isEqualTo(shown);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"2%", "0.1%", "50%", "99.9999%", "0.0001%"})
    void soManyRequestsAreNeededAndNotOneLess(String text) {
        ErrorRate limit = ErrorRate.parse(text);
        long needed = Clearance.requestsNeeded(limit);

        assertThat(Clearance.evidence(limit.ppm() / 1e6, needed, 0)).isGreaterThanOrEqualTo(1 / Clearance.BETA);
        assertThat(Clearance.evidence(limit.ppm() / 1e6, needed - 1, 0)).isLessThan(1 / Clearance.BETA);
    }

    @Test
    void theEndsNeedNothingOrMoreThanThereIs() {
        assertThat(Clearance.requestsNeeded(ErrorRate.parse("0"))).isEqualTo(Long.MAX_VALUE);
        assertThat(Clearance.requestsNeeded(ErrorRate.parse("1"))).isZero();
        assertThat(Clearance.evidence(0, 10, 0)).isZero();
        assertThat(Clearance.evidence(1, 10, 10)).isZero();
        assertThat(Clearance.evidence(0.02, 1_000_000_000_000L, 1_000_000_000_000L))
                .isZero();
        assertThat(Clearance.evidence(0.02, 1_000_000_000_000L, 0)).isEqualTo(Double.POSITIVE_INFINITY);
    }
}
