package io.sluice.core.guard;

import io.sluice.core.decision.Lane;
import io.sluice.core.observation.CustomerSample;
import io.sluice.core.observation.CustomerSketch;
import io.sluice.core.observation.CustomerTally;
import io.sluice.core.observation.LaneTally;
import io.sluice.core.observation.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Follows what one reporter sees of one stage: adds up the reports of its instances, closes a tick when it is time, and
 * lets the detectors take it. In memory that depends neither on the requests nor on the customers.
 *
 * <p>Not safe for threads. Times are of any clock that only runs forward; one that runs back counts as standing still.
 */
public final class StageWatch {
    /** How many customers who had something bad happen are remembered for each metric: 64 KiB. */
    public static final int MOST_CUSTOMERS = 8_192;

    /** How many instances may have requests under way that are overdue. */
    public static final int MOST_INSTANCES = 1_000;

    // A tick with too few customers has a ragged share; but evidence must not wait for ever.
    private static final long FULL_TICK = 50;
    private static final int LONGEST_TICK = 10;
    private static final Duration OVERDUE_HOLDS = Duration.ofSeconds(5);
    private static final Duration NEVER = Duration.ofDays(10_000);

    private final Settings settings;
    private final Map<Lane, Side> sides = new EnumMap<>(Lane.class);
    private final List<Comparison> comparisons = new ArrayList<>();
    private final TallyWindow window;
    private final Map<String, Overdue> overdue = new HashMap<>();
    private final FirstTimes failed;
    private final FirstTimes slow;
    private long tickBegan;
    private long now;

    private StageWatch(Settings settings, Saved saved, long now) {
        this.settings = settings;
        this.now = now;
        this.tickBegan = now;
        this.window = new TallyWindow(settings.window());
        this.failed = new FirstTimes(CustomerTally::failed, CustomerTally::anonymousFailed, saved.failedBefore());
        this.slow = new FirstTimes(CustomerTally::slow, CustomerTally::anonymousSlow, saved.slowBefore());
        for (Compared metric : Compared.values()) {
            comparisons.add(saved.comparisons().stream()
                    .filter(comparison -> comparison.metric() == metric)
                    .findFirst()
                    .orElseGet(() -> Comparison.start(metric, settings.horizon())));
        }
        sides.put(Lane.CANARY, new Side(saved.canary()));
        sides.put(Lane.STABLE, new Side(saved.stable()));
    }

    /** One that begins. @param now in nanoseconds, as are all times here */
    public static StageWatch start(Settings settings, long now) {
        return restore(settings, Saved.NOTHING, now);
    }

    /** One that goes on from what was saved. The open tick and the window begin anew, and nobody was heard yet. */
    public static StageWatch restore(Settings settings, Saved saved, long now) {
        return new StageWatch(settings, saved, now);
    }

    /** Takes in a report of one instance about one lane. The order of reports makes no difference. */
    public void add(String instance, Lane lane, LaneTally report, long at) {
        advance(at);
        Side side = side(lane);
        side.open = side.open.merge(report, MOST_CUSTOMERS);
        if (report.requests().count() > 0 || report.overdue() > 0) {
            side.heard = now;
            side.isHeard = true;
        }
        if (lane == Lane.CANARY) {
            noteOverdue(instance, report.overdue());
            if (!settings.window().isZero()) {
                window.add(report.requests(), now);
            }
        }
    }

    /** What there is to judge at this moment; closes the tick if it is time. */
    public Seen look(long at) {
        advance(at);
        closeTickIfDue();
        SavedSide canary = side(Lane.CANARY).total();
        SavedSide stable = side(Lane.STABLE).total();
        Tally judged = settings.window().isZero() ? canary.requests() : window.at(now);
        return new Seen(
                judged.plusOverdue(overdueNow(), settings.limit()),
                canary.requests(),
                stable.requests(),
                silence(side(Lane.CANARY)),
                silence(side(Lane.STABLE)),
                comparisons,
                crowd(canary, stable));
    }

    /** What must not be lost. Of a tick that is open only the requests are in it, not yet what is compared. */
    public Saved save() {
        return new Saved(
                comparisons,
                failed.known(),
                slow.known(),
                side(Lane.CANARY).total(),
                side(Lane.STABLE).total());
    }

    private void advance(long at) {
        now = at - now > 0 ? at : now;
    }

    private Side side(Lane lane) {
        return Objects.requireNonNull(sides.get(lane));
    }

    private Duration silence(Side side) {
        return side.isHeard ? Duration.ofNanos(now - side.heard) : NEVER;
    }

    /** Of more instances than there can be, the rest have nothing under way: names cost memory, and anybody may invent some. */
    private void noteOverdue(String instance, long requests) {
        overdue.remove(instance);
        if (requests == 0) {
            return;
        }
        if (overdue.size() >= MOST_INSTANCES) {
            forgetOverdue();
        }
        if (overdue.size() < MOST_INSTANCES) {
            overdue.put(instance, new Overdue(requests, now));
        }
    }

    private void forgetOverdue() {
        overdue.values().removeIf(each -> now - each.at > OVERDUE_HOLDS.toNanos());
    }

    private long overdueNow() {
        forgetOverdue();
        return overdue.values().stream().mapToLong(Overdue::requests).reduce(0, StageWatch::sum);
    }

    private void closeTickIfDue() {
        long tick = settings.tick().toNanos();
        long age = now - tickBegan;
        long units = side(Lane.CANARY).open.customers().units();
        // The first one is short: what is slow is only known from a tick before.
        boolean isFirst = comparisons.get(0).detector().ticks() == 0;
        if (age < tick || (!isFirst && units < FULL_TICK && age < LONGEST_TICK * tick)) {
            return;
        }
        // Of the ticks before, so that the threshold does not depend on what is held against it.
        Tally stableBefore = side(Lane.STABLE).closed.requests();
        LaneTally canary = side(Lane.CANARY).close();
        LaneTally stable = side(Lane.STABLE).close();
        Crowd crowd = crowd(side(Lane.CANARY).closed, side(Lane.STABLE).closed);
        comparisons.replaceAll(comparison -> switch (comparison.metric()) {
            case ERRORS -> after(comparison, failed, canary, stable, crowd);
            case SLOW -> after(comparison, slow, canary, stable, crowd);
            case SLOWER_P50 -> comparison.after(slower(50, stableBefore, canary.requests(), stable.requests()));
            case SLOWER_P90 -> comparison.after(slower(90, stableBefore, canary.requests(), stable.requests()));
            case SLOWER_P99 -> comparison.after(slower(99, stableBefore, canary.requests(), stable.requests()));
        });
        tickBegan = now;
    }

    private static Comparison after(
            Comparison comparison, FirstTimes firstTimes, LaneTally canary, LaneTally stable, Crowd crowd) {
        FirstTimes.Counted counted =
                firstTimes.count(canary.customers(), stable.customers(), comparison.counts(), crowd);
        return comparison.after(counted.evidence(), counted.shown());
    }

    private static Tick slower(int percent, Tally stableBefore, Tally canary, Tally stable) {
        int bucket = stableBefore.quantileBucket(percent);
        return bucket < 0
                ? Tick.NOTHING
                : new Tick(canary.count(), canary.countAbove(bucket), stable.count(), stable.countAbove(bucket));
    }

    private static Crowd crowd(SavedSide canary, SavedSide stable) {
        return new Crowd(
                canary.customers(),
                stable.customers(),
                sum(canary.requests().count(), stable.requests().count()));
    }

    private static long sum(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /**
     * How a stage is followed.
     *
     * @param tick how long a tick lasts at least; ten times as long at most
     * @param horizon how many ticks the stage is meant to last, see {@link Detector#start}
     * @param window of the hard limits; zero for the whole stage
     * @param limit on P99, which requests that are overdue are over
     */
    public record Settings(Duration tick, long horizon, Duration window, Duration limit) {
        private static final long TICKS = 200;
        private static final Duration SHORTEST = Duration.ofSeconds(1);
        // A detector can't speak before its tick is over, so not even a stage of days has long ones.
        private static final Duration LONGEST = Duration.ofSeconds(10);

        /** For a stage that is held for some time: 200 ticks, or more where a tick would last longer than ten seconds; none is shorter than a second. */
        public static Settings of(Duration hold, Thresholds limits) {
            Duration wanted = hold.dividedBy(TICKS);
            Duration tick =
                    wanted.compareTo(SHORTEST) < 0 ? SHORTEST : wanted.compareTo(LONGEST) > 0 ? LONGEST : wanted;
            long horizon = Math.max(TICKS, hold.dividedBy(tick));
            return new Settings(tick, horizon, limits.window(), limits.maxP99());
        }
    }

    /**
     * What a restart must not lose.
     *
     * @param comparisons the detectors with their counts
     * @param failedBefore customers whose first failed request was counted
     * @param slowBefore customers whose first slow request was counted
     * @param canary everybody on canary since the stage began
     * @param stable likewise on stable
     */
    public record Saved(
            List<Comparison> comparisons,
            CustomerSample failedBefore,
            CustomerSample slowBefore,
            SavedSide canary,
            SavedSide stable) {
        static final Saved NOTHING = new Saved(
                List.of(), CustomerSample.empty(), CustomerSample.empty(), SavedSide.NOTHING, SavedSide.NOTHING);

        public Saved {
            comparisons = List.copyOf(comparisons);
        }
    }

    /**
     * One lane since the stage began.
     *
     * @param requests all of them
     * @param seen the customers
     * @param anonymous requests without one
     */
    public record SavedSide(Tally requests, CustomerSketch seen, long anonymous) {
        static final SavedSide NOTHING = new SavedSide(Tally.empty(), CustomerSketch.empty(), 0);

        SavedSide plus(LaneTally more) {
            return new SavedSide(
                    requests.merge(more.requests()),
                    seen.merge(more.customers().seen()),
                    sum(anonymous, more.customers().anonymous()));
        }

        long customers() {
            return sum(seen.estimate(), anonymous);
        }
    }

    private record Overdue(long requests, long at) {}

    /** One lane as it comes in: what the ticks before have had, and the open one. */
    private static final class Side {
        private SavedSide closed;
        private LaneTally open = LaneTally.empty();
        private long heard;
        private boolean isHeard;

        Side(SavedSide closed) {
            this.closed = closed;
        }

        SavedSide total() {
            return closed.plus(open);
        }

        LaneTally close() {
            LaneTally taken = open;
            closed = closed.plus(taken);
            open = LaneTally.empty();
            return taken;
        }
    }
}
