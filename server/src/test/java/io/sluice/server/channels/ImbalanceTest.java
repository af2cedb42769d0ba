package io.sluice.server.channels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ImbalanceTest {
    private final Imbalance imbalance = new Imbalance(2);
    private final Map<String, Long> counters = new HashMap<>();
    private long second;

    @Test
    @Requirement("J2")
    void whoGetsFourTimesTheShareForTenSecondsIsToldOfOnceWithTheNumber() {
        List<Imbalance.Change> changes = run(30, 4, 0.125, Map.of("a", 40L, "b", 20L, "c", 20L));

        assertThat(changes).singleElement().satisfies(change -> {
            assertThat(change.instance()).isEqualTo("a");
            assertThat(change.began()).isTrue();
            assertThat(change.multiple()).isCloseTo(4, within(0.01));
        });
        assertThat(imbalance.of("a").imbalance()).isCloseTo(4, within(0.01));
        assertThat(imbalance.of("a").share()).isCloseTo(0.5, within(0.001));
        assertThat(imbalance.of("a").requestsPerSecond()).isCloseTo(40, within(0.1));
        assertThat(imbalance.of("b").imbalance()).isNull();
    }

    @Test
    void nineSecondsAreNone() {
        assertThat(run(10, 4, 0.125, Map.of("a", 40L, "b", 20L, "c", 20L))).isEmpty();
    }

    @Test
    void itEndsOnceAndTellsTheLargest() {
        run(30, 4, 0.125, Map.of("a", 40L, "b", 20L, "c", 20L));

        List<Imbalance.Change> changes = run(20, 4, 0.125, Map.of("a", 10L, "b", 35L, "c", 35L));

        assertThat(changes)
                .filteredOn(change -> change.instance().equals("a"))
                .singleElement()
                .satisfies(change -> {
                    assertThat(change.began()).isFalse();
                    assertThat(change.multiple()).isCloseTo(4, within(0.01));
                });
        assertThat(imbalance.of("a").imbalance()).isNull();
    }

    @Test
    void threeRequestsAreNone() {
        List<Imbalance.Change> changes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            changes.addAll(run(1, 4, 0.25, Map.of("a", 1L)));
            changes.addAll(run(9, 4, 0.25, Map.of()));
        }

        assertThat(changes).isEmpty();
    }

    @Test
    void twiceTheShareOfFewMayBeChanceAndOfManyIsNot() {
        assertThat(run(30, 4, 0.02, Map.of("a", 4L, "b", 32L, "c", 32L, "d", 32L)))
                .isEmpty();

        assertThat(run(30, 4, 0.02, Map.of("a", 40L, "b", 320L, "c", 320L, "d", 320L)))
                .extracting(Imbalance.Change::instance)
                .containsExactly("a");
    }

    @Test
    void aChangeOfWeightIsNone() {
        run(30, 4, 0.5, Map.of("a", 50L, "b", 50L));

        assertThat(run(30, 4, 0.05, Map.of("a", 5L, "b", 95L)))
                .filteredOn(change -> change.instance().equals("a"))
                .isEmpty();
    }

    @Test
    void whoIsPlannedNothingHasNoMultiple() {
        assertThat(run(30, 4, 0, Map.of("a", 50L)))
                .filteredOn(change -> change.instance().equals("a"))
                .isEmpty();
    }

    @Test
    void aRestartAtTheSamePlaceIsNoBurst() {
        run(30, 4, 0.25, Map.of("a", 25L, "b", 25L, "c", 25L, "d", 25L));
        counters.put("a", 0L);

        assertThat(run(30, 4, 0.25, Map.of("a", 25L, "b", 25L, "c", 25L, "d", 25L)))
                .isEmpty();
    }

    @Test
    void whoIsGoneIsOverToo() {
        run(30, 4, 0.125, Map.of("a", 40L, "b", 20L, "c", 20L));

        assertThat(imbalance.sample(List.of(), Duration.ofSeconds(second + 1).toNanos()))
                .extracting(Imbalance.Change::began)
                .containsExactly(false);
    }

    /** @param planned the share of instance a; the others have the rest in equal parts */
    private List<Imbalance.Change> run(int seconds, int instances, double planned, Map<String, Long> perSecond) {
        List<Imbalance.Change> changes = new ArrayList<>();
        for (int i = 0; i < seconds; i++) {
            List<Imbalance.Load> loads = new ArrayList<>();
            for (String instance : List.of("a", "b", "c", "d").subList(0, instances)) {
                counters.merge(instance, perSecond.getOrDefault(instance, 0L), Long::sum);
                double share = instance.equals("a") ? planned : (1 - planned) / (instances - 1);
                loads.add(new Imbalance.Load("order", instance, share, counters.get(instance)));
            }
            changes.addAll(imbalance.sample(loads, Duration.ofSeconds(second++).toNanos()));
        }
        return changes;
    }
}
