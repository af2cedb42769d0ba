package io.sluice.migration.evidence;

import io.sluice.migration.plan.Side;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a router does by day (UTC), from the start of the process. Whoever keeps the counts for longer asks for
 * {@link #unreported()} every few seconds, keeps them by process and day, and confirms them by {@link #reported}; since
 * they only grow, it does not matter how often they are told or how many answers are lost. What was counted since the
 * last of these is lost when the process is killed.
 *
 * <p>Each asking is also a look at the clock, from which it is known how much of a day was watched. A clock that goes
 * back counts towards the day that it shows; no count is lost by that. Safe for use by many threads; counting waits for
 * nobody.
 */
public final class EvidenceCounters implements Tally {
    /** The most days that are told at once, oldest first; the others follow once these are confirmed. */
    public static final int MOST_DAYS = 64;

    private final InstantSource clock;
    private final ConcurrentNavigableMap<LocalDate, Day> days = new ConcurrentSkipListMap<>();
    private volatile Day latest;
    private Instant lastLook; // Guarded by this, as what days know of their watching is.

    /** Begins to watch now. */
    public EvidenceCounters(InstantSource clock) {
        this.clock = clock;
        this.lastLook = clock.instant();
        this.latest = dayOf(lastLook);
    }

    @Override
    public void succeeded(Side side) {
        Day day = today();
        (side == Side.NEW ? day.newSuccesses : day.legacySuccesses).increment();
    }

    @Override
    public void fellBack() {
        today().fallbacks.increment();
    }

    /** Counts as a fallback: the new side did not do its part, and an outage leaves no other trace in the rate. */
    @Override
    public void unanswered(Side side) {
        if (side == Side.NEW) {
            today().fallbacks.increment();
        }
    }

    /** Of the new side it counts as a fallback too: its caller has no answer, whatever the database has by now. */
    @Override
    public void unknown(Side side) {
        Day day = today();
        day.unknown.increment();
        if (side == Side.NEW) {
            day.fallbacks.increment();
        }
    }

    @Override
    public void wasBehind() {
        today().behind.increment();
    }

    @Override
    public void compared(boolean isDifferent) {
        Day day = today();
        day.shadowChecks.increment(); // First, so that nobody reads more differences than comparisons.
        if (isDifferent) {
            day.shadowDiffs.increment();
        }
    }

    @Override
    public void notCompared() {
        today().notCompared.increment();
    }

    /** Every day of this process until now, by date. */
    public synchronized List<CountedDay> days() {
        look(clock.instant());
        return days.values().stream().map(Day::counted).toList();
    }

    /** The days of which something was counted or watched that was not confirmed, by date, at most {@link #MOST_DAYS}. */
    public synchronized List<CountedDay> unreported() {
        look(clock.instant());
        return days.values().stream()
                .filter(Day::hasNews)
                .limit(MOST_DAYS)
                .map(Day::counted)
                .toList();
    }

    /** Notes that somebody keeps these now; what has come to them meanwhile is told next time. */
    public synchronized void reported(List<CountedDay> confirmed) {
        for (CountedDay counted : confirmed) {
            Day day = days.get(counted.date());
            if (day != null) {
                day.confirmed = counted;
            }
        }
    }

    private Day today() {
        long now = clock.millis();
        Day day = latest;
        if (!day.holds(now)) {
            day = dayOf(Instant.ofEpochMilli(now));
            latest = day;
        }
        return day;
    }

    private Day dayOf(Instant instant) {
        return days.computeIfAbsent(instant.atZone(ZoneOffset.UTC).toLocalDate(), date -> new Day(date, instant));
    }

    /** What lies between two looks was watched, but as a gap: it may have been slept through. */
    private void look(Instant now) {
        Day day = dayOf(now);
        if (now.isBefore(lastLook)) {
            // What lies between was not watched, as far as this clock says: it has still to come.
            day.watch(now, day.from.isAfter(now) ? day.from : now);
        } else {
            Day before = dayOf(lastLook);
            if (before == day) {
                day.watch(lastLook, now);
            } else {
                before.watch(lastLook, CountedDay.endOf(before.date));
                day.watch(CountedDay.startOf(day.date), now);
            }
        }
        lastLook = now;
    }

    private static final class Day {
        private final LocalDate date;
        private final long startMillis;
        private final long endMillis;
        private final LongAdder newSuccesses = new LongAdder();
        private final LongAdder legacySuccesses = new LongAdder();
        private final LongAdder fallbacks = new LongAdder();
        private final LongAdder shadowChecks = new LongAdder();
        private final LongAdder shadowDiffs = new LongAdder();
        private final LongAdder notCompared = new LongAdder();
        private final LongAdder unknown = new LongAdder();
        private final LongAdder behind = new LongAdder();

        private Instant from;
        private Instant until;
        private Duration longestGap = Duration.ZERO;
        private @Nullable CountedDay confirmed;

        Day(LocalDate date, Instant first) {
            this.date = date;
            this.startMillis = CountedDay.startOf(date).toEpochMilli();
            this.endMillis = CountedDay.endOf(date).toEpochMilli();
            this.from = first;
            this.until = first;
        }

        boolean holds(long millis) {
            return millis >= startMillis && millis < endMillis;
        }

        void watch(Instant begin, Instant end) {
            from = begin.isBefore(from) ? begin : from;
            until = end.isAfter(until) ? end : until;
            Duration gap = Duration.between(begin, end);
            longestGap = gap.compareTo(longestGap) > 0 ? gap : longestGap;
        }

        boolean hasNews() {
            return !counted().equals(confirmed);
        }

        CountedDay counted() {
            long diffs = shadowDiffs.sum(); // Before the comparisons, which were counted first.
            return new CountedDay(
                    date,
                    from,
                    until,
                    longestGap,
                    new Counts(
                            newSuccesses.sum(),
                            legacySuccesses.sum(),
                            fallbacks.sum(),
                            shadowChecks.sum(),
                            diffs,
                            notCompared.sum(),
                            unknown.sum(),
                            behind.sum()));
        }
    }
}
