package io.sluice.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FailuresTest {
    private final AtomicLong now = new AtomicLong();
    private final Failures failures = new Failures(now::get);

    @Test
    void theFirstFewCostNothingAndThenTheWaitGrows() {
        Stream<Duration> waits = Stream.generate(this::failAndWait).limit(13);

        assertThat(waits.map(Duration::toSeconds))
                .containsExactly(0L, 0L, 0L, 0L, 0L, 1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
    }

    @Test
    void anAttemptBeforeItsTimeDoesNotMakeTheWaitLonger() {
        Stream.generate(this::failAndWait).limit(5).forEach(wait -> {});
        failures.failed("a");

        now.addAndGet(Duration.ofMillis(400).toNanos());

        assertThat(failures.failed("a")).isEqualTo(Duration.ofMillis(600));
    }

    @Test
    void aSuccessForgetsAndOtherAddressesAreNotConcerned() {
        Stream.generate(this::failAndWait).limit(8).forEach(wait -> {});

        failures.succeeded("a");

        assertThat(failures.failed("a")).isZero();
        assertThat(failures.failed("b")).isZero();
    }

    private Duration failAndWait() {
        Duration wait = failures.failed("a");
        now.addAndGet(wait.toNanos());
        return wait;
    }
}
