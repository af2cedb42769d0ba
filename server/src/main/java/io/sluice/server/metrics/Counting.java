package io.sluice.server.metrics;

import io.sluice.core.guard.Detector;
import io.sluice.core.guard.Tick;

/**
 * Raw counters of both lanes as they become evidence. Immutable.
 *
 * <p>A tick closes when the totals of both lanes have risen, since a source that is asked more often than it looks gives
 * the same numbers again. Lanes are looked at by the source at different moments, so what happens to both at once is seen
 * on canary up to one tick before or after it is seen on stable. Therefore a tick counts only when the next one is there,
 * with stable's worst share of the three around it: a fault of both lanes is no evidence, and a canary that is worse is one
 * tick later.
 *
 * @param base what the open tick is counted from
 * @param settling how many readings more give no evidence
 * @param before the tick before the pending one
 * @param pending the newest closed tick, not counted yet
 * @param detector the evidence
 * @param counts all ticks that were counted, as they were
 * @param rising those of them since the evidence rose above 1, which is what an accusation is about
 * @param trouble why the newest reading gave no evidence; empty when it is none
 */
record Counting(
        Reading base,
        int settling,
        Tick before,
        Tick pending,
        Detector detector,
        Tick counts,
        Tick rising,
        String trouble) {
    /**
     * Readings after a counter fell that give no evidence. Where counters are sums, one may have fallen because the source
     * missed an instance, whose whole past would count as new when it comes back.
     */
    static final int SETTLING = 6;

    /**
     * Both lanes at one moment; none is negative.
     *
     * @param canary all on canary
     * @param canaryBad the bad ones among them
     * @param stable all on stable
     * @param stableBad likewise
     */
    record Reading(long canary, long canaryBad, long stable, long stableBad) {
        /** The first counter that is less than it was, in words; empty when none is. */
        String fallen(Reading earlier) {
            return canary < earlier.canary
                    ? fell("canary's total", earlier.canary, canary)
                    : canaryBad < earlier.canaryBad
                            ? fell("canary's bad", earlier.canaryBad, canaryBad)
                            : stable < earlier.stable
                                    ? fell("stable's total", earlier.stable, stable)
                                    : stableBad < earlier.stableBad
                                            ? fell("stable's bad", earlier.stableBad, stableBad)
                                            : "";
        }

        private static String fell(String what, long from, long to) {
            return "counter reset: " + what + " fell from " + from + " to " + to;
        }
    }

    /** From a first reading, which is no evidence. */
    static Counting start(Reading first, long horizon) {
        return new Counting(
                first,
                0,
                Tick.NOTHING,
                Tick.NOTHING,
                Detector.start(horizon),
                Tick.NOTHING,
                Tick.NOTHING,
                "the first reading");
    }

    /** After one more reading. */
    Counting after(Reading now) {
        String fallen = now.fallen(base);
        if (!fallen.isEmpty()) {
            return from(now, SETTLING, fallen);
        }
        if (settling > 0) {
            return from(now, settling - 1, "a counter was reset; " + settling + " readings until it counts again");
        }
        long canary = now.canary - base.canary;
        long canaryBad = now.canaryBad - base.canaryBad;
        long stable = now.stable - base.stable;
        long stableBad = now.stableBad - base.stableBad;
        if (canaryBad > canary || stableBad > stable) {
            return canaryBad > canary
                    ? from(now, 0, "canary's bad rose by " + canaryBad + ", its total by " + canary)
                    : from(now, 0, "stable's bad rose by " + stableBad + ", its total by " + stable);
        }
        return canary == 0 || stable == 0
                ? new Counting(base, 0, before, pending, detector, counts, rising, "")
                : closed(now, new Tick(canary, canaryBad, stable, stableBad));
    }

    /** Whether canary is worse: the evidence says so, and so do the numbers that it comes from. */
    boolean isWorse(double limit) {
        return detector.evidence() >= limit && rising.canaryRate() > rising.stableRate();
    }

    private Counting closed(Reading now, Tick newest) {
        if (pending.equals(Tick.NOTHING)) {
            return new Counting(now, 0, before, newest, detector, counts, rising, "");
        }
        double around = Math.ceil(pending.stable() * Math.max(share(before), share(newest)));
        long worst = Math.max(pending.stableBad(), Math.min(pending.stable(), (long) around));
        Tick judged = new Tick(pending.canary(), pending.canaryBad(), pending.stable(), worst);
        Detector next = detector.after(judged);
        Tick risen = next.evidence() <= 1 ? Tick.NOTHING : rising.plus(pending);
        return new Counting(now, 0, pending, newest, next, counts.plus(pending), risen, "");
    }

    /** Goes on from a reading, without what is not counted yet. */
    private Counting from(Reading now, int readings, String why) {
        return new Counting(now, readings, Tick.NOTHING, Tick.NOTHING, detector, counts, rising, why);
    }

    private static double share(Tick tick) {
        return tick.stable() == 0 ? 0 : tick.stableBad() / (double) tick.stable();
    }
}
