package io.sluice.core.guard;

import io.sluice.core.decision.Lane;
import io.sluice.core.observation.CustomerSample;
import io.sluice.core.observation.CustomerSketch;
import io.sluice.core.observation.CustomerTally;
import io.sluice.core.observation.LaneTally;
import io.sluice.core.observation.Tally;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
    private static final int WINDOW_PARTS = 20;
    private static final Duration OVERDUE_HOLDS = Duration.ofSeconds(5);
    private static final Duration NEVER = Duration.ofDays(10_000);

    private final Settings settings;
    private final Map<Lane, Side> sides = new EnumMap<>(Lane.class);
    private final List<Comparison> comparisons = new ArrayList<>();
    private final Deque<Slot> window = new ArrayDeque<>();
    private final Map<String, Overdue> overdue = new HashMap<>();
    private CustomerSample failedBefore;
    private CustomerSample slowBefore;
    private long tickBegan;
    private long now;

    private StageWatch(Settings settings, Saved saved, long now) {
        this.settings = settings;
        this.now = now;
        this.tickBegan = now;
        this.comparisons.addAll(saved.comparisons());
        this.failedBefore = saved.failedBefore();
        this.slowBefore = saved.slowBefore();
        sides.put(Lane.CANARY, new Side(saved.canary()));
        sides.put(Lane.STABLE, new Side(saved.stable()));
    }

    /** One that begins. @param now in nanoseconds, as are all times here */
    public static StageWatch start(Settings settings, long now) {
        List<Comparison> comparisons = new ArrayList<>();
        for (Compared metric : Compared.values()) {
            comparisons.add(Comparison.start(metric, settings.horizon()));
        }
        return restore(
                settings,
                new Saved(
                        comparisons,
                        CustomerSample.empty(),
                        CustomerSample.empty(),
                        SavedSide.NOTHING,
                        SavedSide.NOTHING),
                now);
    }

    /** One that goes on from what was saved. The open tick and the window begin anew. */
    public static StageWatch restore(Settings settings, Saved saved, long now) {
        return new StageWatch(settings, saved, now);
    }

    /** Takes in a report of one instance about one lane. */
    public void add(String instance, Lane lane, LaneTally report, long at) {
        advance(at);
        Side side = side(lane);
        side.open = side.open.merge(report, MOST_CUSTOMERS);
        side.requests = side.requests.merge(report.requests());
        side.seen = side.seen.merge(report.customers().seen());
        side.anonymous += report.customers().anonymous();
        if (report.requests().count() > 0 || report.overdue() > 0) {
            side.heard = now;
            side.isHeard = true;
        }
        if (lane == Lane.CANARY) {
            noteOverdue(instance, report.overdue());
            addToWindow(report.requests());
        }
    }

    /** What there is to judge at this moment; closes the tick if it is time. */
    public Seen look(long at) {
        advance(at);
        closeTickIfDue();
        Side canary = side(Lane.CANARY);
        Side stable = side(Lane.STABLE);
        return new Seen(
                windowTally().plusOverdue(overdueNow(), settings.limit()),
                canary.requests,
                stable.requests,
                silence(canary),
                silence(stable),
                List.copyOf(comparisons),
                new Crowd(canary.customers(), stable.customers(), canary.requests.count() + stable.requests.count()));
    }

    /** What must not be lost. */
    public Saved save() {
        return new Saved(
                List.copyOf(comparisons),
                failedBefore,
                slowBefore,
                side(Lane.CANARY).saved(),
                side(Lane.STABLE).saved());
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
        return overdue.values().stream().mapToLong(Overdue::requests).sum();
    }

    private void addToWindow(Tally requests) {
        if (settings.window().isZero()) {
            return;
        }
        long part = settings.window().toNanos() / WINDOW_PARTS;
        Slot last = window.peekLast();
        if (last == null || now - last.began >= part) {
            window.addLast(new Slot(now, requests));
        } else {
            window.removeLast();
            window.addLast(new Slot(last.began, last.requests.merge(requests)));
        }
    }

    private Tally windowTally() {
        if (settings.window().isZero()) {
            return side(Lane.CANARY).requests;
        }
        window.removeIf(slot -> now - slot.began > settings.window().toNanos());
        return window.stream().map(Slot::requests).reduce(Tally.empty(), Tally::merge);
    }

    private void closeTickIfDue() {
        long tick = settings.tick().toNanos();
        long age = now - tickBegan;
        Side canary = side(Lane.CANARY);
        if (age < tick || (canary.open.customers().units() < FULL_TICK && age < LONGEST_TICK * tick)) {
            return;
        }
        LaneTally ofCanary = canary.takeOpen();
        LaneTally ofStable = side(Lane.STABLE).takeOpen();
        // Stable's first: who had it happen on both lanes within a tick counts where it does canary no harm.
        CustomerSample failed = failedBefore;
        CustomerSample slow = slowBefore;
        failedBefore = failed.merge(ofStable.customers().failed(), MOST_CUSTOMERS)
                .merge(ofCanary.customers().failed(), MOST_CUSTOMERS);
        slowBefore = slow.merge(ofStable.customers().slow(), MOST_CUSTOMERS)
                .merge(ofCanary.customers().slow(), MOST_CUSTOMERS);
        Tally stableBefore = side(Lane.STABLE).closed;
        comparisons.replaceAll(comparison -> comparison.after(
                switch (comparison.metric()) {
                    case ERRORS -> firstTimes(ofCanary.customers(), ofStable.customers(), failed, failedBefore, true);
                    case SLOW -> firstTimes(ofCanary.customers(), ofStable.customers(), slow, slowBefore, false);
                    case SLOWER_P50 -> slower(50, stableBefore, ofCanary.requests(), ofStable.requests());
                    case SLOWER_P90 -> slower(90, stableBefore, ofCanary.requests(), ofStable.requests());
                    case SLOWER_P99 -> slower(99, stableBefore, ofCanary.requests(), ofStable.requests());
                }));
        side(Lane.STABLE).closed = side(Lane.STABLE).requests;
        tickBegan = now;
    }

    /** Both lanes at the level to which the memory has risen by now, or the comparison would not be fair. */
    private static Tick firstTimes(
            CustomerTally canary, CustomerTally stable, CustomerSample before, CustomerSample after, boolean failed) {
        CustomerSample ofStable = failed ? stable.failed() : stable.slow();
        CustomerSample ofCanary = failed ? canary.failed() : canary.slow();
        long stableBad = ofStable.stream()
                .filter(customer -> after.contains(customer) && !before.contains(customer))
                .count();
        long canaryBad = ofCanary.stream()
                .filter(customer ->
                        after.contains(customer) && !before.contains(customer) && !ofStable.contains(customer))
                .count();
        return tick(
                canary.units(),
                canaryBad + (failed ? canary.anonymousFailed() : canary.anonymousSlow()),
                stable.units(),
                stableBad + (failed ? stable.anonymousFailed() : stable.anonymousSlow()));
    }

    private static Tick slower(int percent, Tally stableBefore, Tally canary, Tally stable) {
        int bucket = stableBefore.quantileBucket(percent);
        return bucket < 0
                ? Tick.NOTHING
                : tick(canary.count(), canary.countAbove(bucket), stable.count(), stable.countAbove(bucket));
    }

    /** The number of customers is an estimate, and may lie a little below that of the bad ones, which is exact. */
    private static Tick tick(long canary, long canaryBad, long stable, long stableBad) {
        return new Tick(Math.max(canary, canaryBad), canaryBad, Math.max(stable, stableBad), stableBad);
    }

    /**
     * How a stage is followed.
     *
     * @param tick how long a tick lasts at least; ten times as long at most
     * @param horizon how many ticks the stage is meant to last, see {@link Detector#start}
     * @param window of the hard limits; zero for the whole stage
     * @param limit what makes a request slow
     */
    public record Settings(Duration tick, long horizon, Duration window, Duration limit) {
        private static final long TICKS = 200;
        private static final Duration SHORTEST = Duration.ofSeconds(1);
        private static final Duration LONGEST = Duration.ofMinutes(1);

        /** For a stage that is held for some time: 200 ticks, none shorter than a second or longer than a minute. */
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
        public Saved {
            comparisons = List.copyOf(comparisons);
        }
    }

    /** One lane of what is saved. */
    public record SavedSide(Tally requests, CustomerSketch seen, long anonymous) {
        static final SavedSide NOTHING = new SavedSide(Tally.empty(), CustomerSketch.empty(), 0);
    }

    private record Slot(long began, Tally requests) {}

    private record Overdue(long requests, long at) {}

    /** One lane as it comes in. */
    private static final class Side {
        private LaneTally open = LaneTally.empty();
        private Tally requests;
        private Tally closed;
        private CustomerSketch seen;
        private long anonymous;
        private long heard;
        private boolean isHeard;

        Side(SavedSide saved) {
            requests = saved.requests();
            closed = saved.requests();
            seen = saved.seen();
            anonymous = saved.anonymous();
        }

        long customers() {
            return seen.estimate() + anonymous;
        }

        LaneTally takeOpen() {
            LaneTally taken = open;
            open = LaneTally.empty();
            return taken;
        }

        SavedSide saved() {
            return new SavedSide(requests, seen, anonymous);
        }
    }
}
