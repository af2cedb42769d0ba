package io.sluice.core.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TallyTest {
    @Requirement({"B2", "F29"})
    @ParameterizedTest(name = "{1} slow of {0}: {2}")
    @CsvSource({
        "0, 0, false",
        "1, 0, false",
        "1, 1, true",
        "99, 0, false",
        "99, 1, true",
        "100, 1, false",
        "100, 2, true",
        "101, 1, false",
        "101, 2, true",
        "199, 1, false",
        "199, 2, true",
        "200, 2, false",
        "200, 3, true",
        "1000000, 10000, false",
        "1000000, 10001, true"
    })
    void aHundredthMayBeSlow(long count, long slow, boolean above) {
        Map<Integer, Long> latencies = count == 0 ? Map.of() : Map.of(100, count);

        assertThat(new Tally(count, 0, slow, new TreeMap<>(latencies)).isP99AboveLimit())
                .isEqualTo(above);
    }

    static List<Arguments> contradictions() {
        return List.of(
                Arguments.of("a negative count", -1L, 0L, 0L, Map.of(), "count was -1"),
                Arguments.of("negative failures", 1L, -1L, 0L, Map.of(0, 1L), "failed was -1"),
                Arguments.of("more failures than requests", 1L, 2L, 0L, Map.of(0, 1L), "failed was 2"),
                Arguments.of("more slow ones than requests", 1L, 0L, 2L, Map.of(0, 1L), "slow was 2"),
                Arguments.of(
                        "latencies that do not sum to the count", 2L, 0L, 0L, Map.of(0, 1L), "latencies was 1 in sum"),
                Arguments.of("an empty bucket", 0L, 0L, 0L, Map.of(7, 0L), "latencies.7 was 0"),
                Arguments.of("a negative bucket", 1L, 0L, 0L, Map.of(-1, 1L), "latencies.-1 was 1"),
                Arguments.of("a bucket too far", 1L, 0L, 0L, Map.of(704, 1L), "latencies.704 was 1"),
                Arguments.of(
                        "a sum that overflows to the count",
                        0L,
                        0L,
                        0L,
                        Map.of(0, Long.MAX_VALUE, 1, Long.MAX_VALUE, 2, 2L),
                        "latencies was 9223372036854775807 in sum"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("contradictions")
    void numbersThatContradictEachOtherAreRefused(
            String name, long count, long failed, long slow, Map<Integer, Long> latencies, String message) {
        assertThatThrownBy(() -> new Tally(count, failed, slow, new TreeMap<>(latencies)))
                .hasMessageStartingWith(message);
    }

    @Test
    void mergingWithNothingChangesNothing() {
        Tally some = SampleTally.of(10, 3, Duration.ofMillis(20), Duration.ofMillis(300));

        assertThat(some.merge(Tally.empty())).isEqualTo(some);
        assertThat(Tally.empty().merge(some)).isEqualTo(some);
    }

    @Test
    void aDrainTakesOutWhatItCounted() {
        LaneCounter counter = new LaneCounter(Duration.ofMillis(300).toNanos());
        counter.record(Duration.ofMillis(300).toNanos(), true);
        counter.record(Duration.ofMillis(300).toNanos() + 1, false);

        Tally first = counter.drain();
        Tally second = counter.drain();

        assertThat(first.count()).isEqualTo(2);
        assertThat(first.failed()).isEqualTo(1);
        assertThat(first.slow()).isEqualTo(1);
        assertThat(second).isEqualTo(Tally.empty());
    }
}
