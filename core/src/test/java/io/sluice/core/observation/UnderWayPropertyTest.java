package io.sluice.core.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Requirement("B7")
class UnderWayPropertyTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    /** So many begin, after so long; then the one at an index, if there is one, ends. */
    record Event(long nanosLater, int begin, int end) {}

    @Property(tries = 500)
    void nobodyIsOverdueEarlyAndEverybodyIsInTheEnd(
            @ForAll("events") List<Event> events, @ForAll("limits") long limit) {
        UnderWay underWay = new UnderWay(limit);
        List<Long> begun = new ArrayList<>();
        long late = Math.max(SECOND, limit / 16);
        long now = 0;
        for (Event event : events) {
            now += event.nanosLater;
            for (int i = 0; i < event.begin; i++) {
                underWay.begin((int) (now / SECOND));
                begun.add(now);
            }
            if (event.end < begun.size()) {
                underWay.end((int) (begun.remove(event.end) / SECOND));
            }
            long at = now;

            assertThat(underWay.overdue(now))
                    .isBetween(
                            begun.stream()
                                    .filter(began -> at - began >= limit + late)
                                    .count(),
                            begun.stream().filter(began -> at - began > limit).count());
        }
        for (long began : begun) {
            underWay.end((int) (began / SECOND));
        }
        assertThat(underWay.overdue(now + 10 * limit + 100 * SECOND)).isZero();
    }

    @Example
    void aRequestIsOverdueOnceItsWholeSecondIs() {
        UnderWay underWay = new UnderWay(Duration.ofMillis(300).toNanos());
        underWay.begin(7);

        assertThat(underWay.overdue(Duration.ofMillis(8_299).toNanos())).isZero();
        assertThat(underWay.overdue(Duration.ofMillis(8_300).toNanos())).isEqualTo(1);
    }

    @Example
    void whatBeganBeforeTheOldestSlotIsStillKnownAndEndsThere() {
        UnderWay underWay = new UnderWay(Duration.ofMillis(300).toNanos());
        for (int second = 0; second < 1_000; second++) {
            underWay.begin(second);
        }
        long end = 2_000 * SECOND;

        assertThat(underWay.overdue(end)).isEqualTo(1_000);
        for (int second = 0; second < 999; second++) {
            underWay.end(second);
        }
        assertThat(underWay.overdue(end)).isEqualTo(1);
    }

    @Example
    void limitsOfAnyLengthAreFollowed() {
        UnderWay underWay = new UnderWay(Duration.ofDays(100_000).toNanos());
        underWay.begin(Integer.MAX_VALUE);

        assertThat(underWay.overdue(Long.MAX_VALUE / 2)).isZero();
    }

    @Provide
    Arbitrary<List<Event>> events() {
        Arbitrary<Long> steps = Arbitraries.oneOf(
                Arbitraries.longs().between(0, 2 * SECOND),
                Arbitraries.longs().between(0, 100 * SECOND),
                Arbitraries.longs().between(0, 2_000 * SECOND));
        return Combinators.combine(
                        steps,
                        Arbitraries.integers().between(0, 5),
                        Arbitraries.integers().between(0, 20))
                .as(Event::new)
                .list()
                .ofMaxSize(60);
    }

    @Provide
    Arbitrary<Long> limits() {
        return Arbitraries.oneOf(
                Arbitraries.longs().between(1, SECOND),
                Arbitraries.longs().between(SECOND, 70 * SECOND),
                Arbitraries.longs().between(SECOND, 700 * SECOND));
    }
}
