package io.sluice.migration.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.migration.plan.Side;
import io.sluice.testing.Requirement;
import io.sluice.testing.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Requirement("F75")
@Timeout(20)
class EvidenceCountersTest {
    private static final LocalDate FIRST = LocalDate.parse("2026-10-01");
    private static final Instant MIDNIGHT = Instant.parse("2026-10-02T00:00:00Z");

    private final SettableClock clock = SettableClock.create();

    @Test
    void everythingIsCountedUnderItsName() {
        EvidenceCounters counters = new EvidenceCounters(clock);
        times(1, () -> counters.succeeded(Side.NEW));
        times(2, () -> counters.succeeded(Side.LEGACY));
        times(3, counters::fellBack);
        times(4, () -> counters.compared(false));
        times(5, () -> counters.compared(true));
        times(6, counters::notCompared);
        times(3, () -> counters.unknown(Side.NEW));
        times(4, () -> counters.unknown(Side.LEGACY));
        times(8, counters::wasBehind);

        assertThat(counters.days())
                .singleElement()
                .extracting(CountedDay::counts)
                .isEqualTo(new Counts(1, 2, 6, 9, 5, 6, 7, 8));
    }

    @Test
    void aRequestAtMidnightIsTheNextDays() {
        clock.advance(Duration.ofDays(1).minusMillis(1));
        EvidenceCounters counters = new EvidenceCounters(clock);
        counters.succeeded(Side.NEW);
        clock.advance(Duration.ofMillis(1));
        counters.succeeded(Side.NEW);
        counters.succeeded(Side.NEW);

        assertThat(counters.days())
                .extracting(CountedDay::date, day -> day.counts().newSuccesses())
                .containsExactly(tuple(FIRST, 1L), tuple(FIRST.plusDays(1), 2L));
    }

    @Test
    void whatIsWatchedOverMidnightIsWatchedUpToItAndFromIt() {
        clock.advance(Duration.ofDays(1).minusSeconds(1));
        EvidenceCounters counters = new EvidenceCounters(clock);
        clock.advance(Duration.ofSeconds(3));

        List<CountedDay> days = counters.days();

        assertThat(days.get(0).from()).isEqualTo(MIDNIGHT.minusSeconds(1));
        assertThat(days.get(0).until()).isEqualTo(MIDNIGHT);
        assertThat(days.get(1).from()).isEqualTo(MIDNIGHT);
        assertThat(days.get(1).until()).isEqualTo(MIDNIGHT.plusSeconds(2));
        assertThat(days)
                .extracting(CountedDay::longestGap)
                .containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2));
    }

    @Test
    void aClockThatGoesBackLosesNoCount() {
        clock.advance(Duration.ofDays(1));
        EvidenceCounters counters = new EvidenceCounters(clock);
        counters.succeeded(Side.NEW);
        counters.reported(counters.unreported());
        clock.advance(Duration.ofSeconds(-2));
        counters.succeeded(Side.NEW);
        counters.days();
        clock.advance(Duration.ofSeconds(2));
        counters.succeeded(Side.NEW);

        List<CountedDay> days = counters.days();

        assertThat(days).extracting(CountedDay::date).containsExactly(FIRST, FIRST.plusDays(1));
        assertThat(days).extracting(day -> day.counts().newSuccesses()).containsExactly(1L, 2L);
        assertThat(days.get(0).from()).isEqualTo(MIDNIGHT.minusSeconds(2));
        assertThat(days.get(0).until()).isEqualTo(MIDNIGHT);
        assertThat(days.get(1).from()).isEqualTo(MIDNIGHT);
    }

    @Test
    void aConfirmedDayIsToldAgainWhenAClockThatGoesBackAddsToIt() {
        EvidenceCounters counters = new EvidenceCounters(clock);
        counters.succeeded(Side.NEW);
        clock.advance(Duration.ofDays(1));
        counters.reported(counters.unreported());
        clock.advance(Duration.ofDays(-1));
        counters.succeeded(Side.NEW);

        assertThat(counters.unreported().get(0).counts().newSuccesses()).isEqualTo(2);
    }

    @Test
    void aClockThatGoesBackToBeforeTheStartHasNotWatchedWhatLiesBetween() {
        clock.advance(Duration.ofHours(10));
        EvidenceCounters counters = new EvidenceCounters(clock);
        clock.advance(Duration.ofHours(-2));

        CountedDay day = counters.days().get(0);

        assertThat(day.from()).isEqualTo(MIDNIGHT.minus(Duration.ofHours(16)));
        assertThat(day.longestGap()).isEqualTo(Duration.ofHours(2));
    }

    @Test
    void aProcessThatSleptShowsItsGap() {
        EvidenceCounters counters = new EvidenceCounters(clock);
        clock.advance(Duration.ofSeconds(2));
        counters.days();
        clock.advance(Duration.ofHours(6));
        counters.days();
        clock.advance(Duration.ofSeconds(2));

        assertThat(counters.days()).singleElement().satisfies(day -> {
            assertThat(day.longestGap()).isEqualTo(Duration.ofHours(6));
            assertThat(Duration.between(day.from(), day.until()))
                    .isEqualTo(Duration.ofHours(6).plusSeconds(4));
        });
    }

    @Test
    void daysThatWereSleptThroughAreNotThere() {
        EvidenceCounters counters = new EvidenceCounters(clock);
        clock.advance(Duration.ofDays(3));

        assertThat(counters.days()).extracting(CountedDay::date).containsExactly(FIRST, FIRST.plusDays(3));
    }

    @Test
    void aDayThatWasWatchedEveryTwoSecondsIsComplete() {
        EvidenceCounters counters = new EvidenceCounters(clock);
        times(24 * 1800 + 1, () -> {
            counters.days();
            clock.advance(Duration.ofSeconds(2));
        });

        Evidence evidence = Evidence.of(counters.days(), Duration.ofSeconds(2), FIRST.plusDays(1));

        assertThat(evidence.days()).extracting(EvidenceDay::complete).containsExactly(true, false);
    }

    @Test
    void aRequestOfTheNewSideThatNobodyAnsweredWeighsAsAFallback() {
        EvidenceCounters counters = new EvidenceCounters(clock);
        times(2, () -> counters.unanswered(Side.NEW));
        times(5, () -> counters.unanswered(Side.LEGACY));
        times(4, () -> counters.unknown(Side.NEW));
        times(7, () -> counters.unknown(Side.LEGACY));
        counters.fellBack();

        assertThat(counters.days())
                .singleElement()
                .extracting(day -> day.counts().fallbacks())
                .isEqualTo(7L);
    }

    @Test
    void whatWasConfirmedIsNotToldAgainUntilMoreComesToIt() {
        EvidenceCounters counters = new EvidenceCounters(clock);
        counters.fellBack();
        List<CountedDay> told = counters.unreported();
        counters.fellBack();
        counters.reported(told);

        List<CountedDay> again = counters.unreported();
        counters.reported(again);

        assertThat(again).extracting(day -> day.counts().fallbacks()).containsExactly(2L);
        assertThat(counters.unreported()).isEmpty();
        assertThat(counters.days()).isEqualTo(again);
    }

    @Test
    void whatWasNotConfirmedIsToldWithEverythingSince() {
        EvidenceCounters counters = new EvidenceCounters(clock);
        counters.fellBack();
        counters.unreported();
        clock.advance(Duration.ofDays(1));
        counters.fellBack();

        assertThat(counters.unreported())
                .extracting(day -> day.counts().fallbacks())
                .containsExactly(1L, 1L);
    }

    @Test
    void manyDaysAreToldBitByBit() {
        EvidenceCounters counters = new EvidenceCounters(clock);
        times(EvidenceCounters.MOST_DAYS + 1, () -> {
            clock.advance(Duration.ofDays(1));
            counters.days();
        });

        List<CountedDay> first = counters.unreported();
        counters.reported(first);

        assertThat(first)
                .hasSize(EvidenceCounters.MOST_DAYS)
                .first()
                .extracting(CountedDay::date)
                .isEqualTo(FIRST);
        assertThat(counters.unreported())
                .extracting(CountedDay::date)
                .containsExactly(
                        FIRST.plusDays(EvidenceCounters.MOST_DAYS), FIRST.plusDays(EvidenceCounters.MOST_DAYS + 1));
    }

    @Test
    void nothingIsLostWhileTheClockRunsOverMidnightAndBackUnderManyThreads() throws Exception {
        EvidenceCounters counters = new EvidenceCounters(clock);
        clock.advance(Duration.ofDays(1).minusMillis(5));
        int threads = 4;
        int each = 50_000;
        AtomicBoolean isOver = new AtomicBoolean();
        ExecutorService pool = Executors.newFixedThreadPool(threads + 1);
        try {
            Future<?> reader = pool.submit(() -> {
                long millis = 1;
                while (!isOver.get()) {
                    clock.advance(Duration.ofMillis(millis = -millis));
                    clock.advance(Duration.ofMillis(millis * 5));
                    counters.reported(counters.unreported());
                }
            });
            List<Future<?>> writers = new ArrayList<>();
            times(threads, () -> writers.add(pool.submit(() -> times(each, () -> counters.compared(true)))));
            for (Future<?> writer : writers) {
                writer.get();
            }
            isOver.set(true);
            reader.get();
        } finally {
            pool.shutdownNow();
        }

        Counts sum = counters.days().stream().map(CountedDay::counts).reduce(Counts.NONE, Counts::plus);

        assertThat(sum.shadowChecks()).isEqualTo((long) threads * each);
        assertThat(sum.shadowDiffs()).isEqualTo((long) threads * each);
    }

    private static void times(int count, Runnable action) {
        for (int i = 0; i < count; i++) {
            action.run();
        }
    }
}
