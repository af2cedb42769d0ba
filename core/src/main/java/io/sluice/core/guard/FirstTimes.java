package io.sluice.core.guard;

import io.sluice.core.observation.CustomerSample;
import io.sluice.core.observation.CustomerTally;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Remembers which customers had something bad happen, so that each counts once a stage. */
final class FirstTimes {
    // Twice the standard error of the number of customers, in canary's favour.
    private static final double MARGIN = 0.065;

    private final Function<CustomerTally, CustomerSample> whom;
    private final ToLongFunction<CustomerTally> anonymous;
    private CustomerSample known;

    /**
     * @param whom the customers that it happened to
     * @param anonymous the requests without a customer that it happened to
     * @param known whom to remember from before
     */
    FirstTimes(
            Function<CustomerTally, CustomerSample> whom,
            ToLongFunction<CustomerTally> anonymous,
            CustomerSample known) {
        this.whom = whom;
        this.anonymous = anonymous;
        this.known = known;
    }

    /** Who is remembered. */
    CustomerSample known() {
        return known;
    }

    /**
     * Counts those of a tick, and remembers them. Who had it happen on both lanes counts for stable, where it does canary
     * no harm.
     *
     * @param soFar the ticks before, added up
     * @param crowd everybody since the stage began, this tick included
     */
    Counted count(CustomerTally canary, CustomerTally stable, Tick soFar, Crowd crowd) {
        CustomerSample before = known;
        CustomerSample ofCanary = whom.apply(canary);
        CustomerSample ofStable = whom.apply(stable);
        known = before.merge(ofStable, StageWatch.MOST_CUSTOMERS).merge(ofCanary, StageWatch.MOST_CUSTOMERS);
        // Both lanes at the level to which the memory has risen by now, or the comparison would not be fair.
        long newOnStable = ofStable.stream()
                .filter(each -> known.contains(each) && !before.contains(each))
                .count();
        long newOnCanary = ofCanary.stream()
                .filter(each -> known.contains(each) && !before.contains(each) && !ofStable.contains(each))
                .count();
        long canaryAnonymous = anonymous.applyAsLong(canary);
        long stableAnonymous = anonymous.applyAsLong(stable);
        Tick evidence = tick(
                canary.units() + Math.round(MARGIN * canary.seen().estimate()),
                newOnCanary + canaryAnonymous,
                Math.round(stable.units() * stillToCome(soFar, crowd)),
                newOnStable + stableAnonymous);
        Tick shown = tick(
                canary.units(),
                (newOnCanary << known.level()) + canaryAnonymous,
                stable.units(),
                (newOnStable << known.level()) + stableAnonymous);
        return new Counted(evidence, shown);
    }

    /**
     * Which part of stable's customers counts as those who it can still happen to for the first time, compared with
     * canary's; at most 1. Where it has happened to more on stable than on canary, stable has fewer left, and without
     * this a better canary would look worse with time.
     */
    private static double stillToCome(Tick soFar, Crowd crowd) {
        double ofCanary = 1 - (1 - MARGIN) * soFar.canaryBad() / Math.max(crowd.canary(), 1);
        double ofStable = 1 - (1 + MARGIN) * soFar.stableBad() / Math.max(crowd.stable(), 1);
        return ofCanary <= 0 ? 1 : Math.min(1, Math.max(0, ofStable) / ofCanary);
    }

    /** The number of customers is an estimate, and may lie a little below that of the bad ones, which is exact. */
    private static Tick tick(long canary, long canaryBad, long stable, long stableBad) {
        return new Tick(Math.max(canary, canaryBad), canaryBad, Math.max(stable, stableBad), stableBad);
    }

    /**
     * One tick.
     *
     * @param evidence what the detector takes: those of the sample
     * @param shown the same for people: those whom the sample stands for
     */
    record Counted(Tick evidence, Tick shown) {}
}
