package io.sluice.wire.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.time.Duration;
import org.junit.jupiter.api.RepeatedTest;

@Requirement("F45")
class BackoffTest {
    private final Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10));

    @RepeatedTest(20)
    void pausesDoubleUpToTheLongestLessUpToHalf() {
        for (int seconds : new int[] {1, 2, 4, 8, 10, 10}) {
            assertThat(backoff.next()).isBetween(Duration.ofMillis(seconds * 500L), Duration.ofSeconds(seconds));
        }
    }

    @RepeatedTest(20)
    void resetBeginsAnew() {
        backoff.next();
        backoff.next();
        backoff.reset();

        assertThat(backoff.next()).isBetween(Duration.ofMillis(500), Duration.ofSeconds(1));
    }
}
