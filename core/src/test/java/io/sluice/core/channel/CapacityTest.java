package io.sluice.core.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.channel.Capacity.Threads;
import io.sluice.core.decision.Percent;
import io.sluice.core.problem.RefusedException;
import io.sluice.testing.Requirement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement("C7")
class CapacityTest {
    @ParameterizedTest(name = "{0} % on {1} instances: {2} more a side")
    @CsvSource({
        "0, 10, 0",
        "19.99, 10, 0",
        "20, 10, 1",
        "29.99, 10, 1",
        "29.99, 100, 10",
        "30, 10, 2",
        "30, 100, 15",
        "39.99, 100, 15",
        "40, 100, 15",
        "50, 100, 32",
        "80, 100, 80",
        "100, 100, 113",
        "20, 2, 1",
        "19, 2, 0",
        "19, 3, 0",
        "20, 5, 1"
    })
    void processorsSayHowManyToAdd(String cpu, int instances, int perSide) {
        Capacity advice = Capacity.advise(Percent.parse(cpu), instances, null);

        assertThat(advice.addPerSide()).isEqualTo(perSide);
        assertThat(advice.add()).isEqualTo(2 * perSide);
        assertThat(advice.reasons()).hasSize(1);
    }

    @ParameterizedTest(name = "{0} requests a second of {1} ms: {2} more a side")
    @CsvSource({
        "1000, 1000, 0",
        "1001, 1000, 1",
        "2000, 500, 0",
        "2002, 500, 1",
        "2000, 1000, 5",
        "0, 1000, 0",
        "9, 0, 0"
    })
    void poolsOfHalfOfTheInstancesMustHoldAllThreadsInUse(long qps, long millis, int perSide) {
        Threads threads = new Threads(200, qps, Duration.ofMillis(millis));

        Capacity advice = Capacity.advise(Percent.of(10), 10, threads);

        assertThat(advice.addPerSide()).isEqualTo(perSide);
        assertThat(advice.reasons()).hasSize(2);
    }

    @Test
    void theLargerNeedHoldsAndEveryReasonIsGiven() {
        Capacity advice = Capacity.advise(Percent.of(35), 10, new Threads(200, 3000, Duration.ofSeconds(1)));

        assertThat(advice.addPerSide()).isEqualTo(10);
        assertThat(advice.reasons())
                .containsExactly(
                        "The processors are 35% busy: add 30%, so that each side has 7 instances and not 5.",
                        "3000 requests a second of 1s each keep 3000 threads busy, and half of the instances have 1000:"
                                + " requests would be refused; each side needs 15 instances.");
    }

    @Test
    void largestNumbersStayNumbers() {
        Capacity advice = Capacity.advise(Percent.HUNDRED, 100_000, new Threads(1, 1_000_000_000, Duration.ofHours(1)));

        assertThat(advice.add()).isPositive();
    }

    @Test
    void badNumbersAreRefusedTogether() {
        assertThatThrownBy(() -> Capacity.advise(Percent.of(10), 1, null))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("instances was 1, but must be within 2..100000, one for each side at least");
        assertThatThrownBy(() -> new Threads(0, -1, Duration.ofHours(2)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("threads was 0")
                .hasMessageContaining("qps was -1")
                .hasMessageContaining("latency was");
    }
}
