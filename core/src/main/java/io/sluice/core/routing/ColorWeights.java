package io.sluice.core.routing;

import io.sluice.core.decision.Percent;
import io.sluice.core.problem.Problems;

/**
 * The weight that each instance of a color has in the registry, so that callers who balance by weight send the asked share
 * to blue, whatever they know of colors. For as many blue instances as green ones it is the plain formula: one color stays
 * at 100, the other gets 100 R / (100 - R), R being its share.
 *
 * <p>Weights only compare, so always one color keeps the base, and only the other's weight is set: while instances follow
 * one after the other, no mix of old and new weights sends more than the old or the new share anywhere. The base is 100
 * unless whole numbers up to 100 are too coarse for these numbers of instances; it does not depend on which whole percent
 * is asked, so it stays the same through all stages of a release.
 *
 * <p>A weight says how much a warm instance gets. A balancer that warms up new instances (Dubbo, for ten minutes unless
 * told otherwise) gives less to those that have just started.
 *
 * @param blue the weight of each blue instance; 0 drains it
 * @param green the weight of each green instance; 0 drains it
 * @param asked the share of blue that was asked for
 * @param achieved the share of blue that these weights give
 */
public record ColorWeights(int blue, int green, Percent asked, Percent achieved) {
    /** The weight of an instance where nothing is to be shifted, as registries have it. */
    public static final int BASE = 100;

    /** How far the achieved share may be from the asked one, in basis points. */
    private static final int TOLERANCE = 50;

    /** Coarse to fine; 10,000 is the most that every registry takes. */
    private static final int[] BASES = {BASE, 1_000, 10_000};

    /**
     * Weights for a share of blue. Never further from it than half a point with 1..12 instances of each color; where even
     * the finest weights miss it by more, as with a thousand instances against one, they come as close as they can.
     *
     * @param blue the share of blue: 0 % drains blue, 100 % drains green
     * @param blueInstances how many instances are blue
     * @param greenInstances how many instances are green. With one color only, all is that color's, and weights say nothing.
     * @throws io.sluice.core.problem.RefusedException with every problem: a negative number, or no instance at all
     */
    public static ColorWeights plan(Percent blue, int blueInstances, int greenInstances) {
        Problems problems = new Problems();
        problems.require(blueInstances >= 0, "blueInstances", blueInstances, "must not be negative");
        problems.require(greenInstances >= 0, "greenInstances", greenInstances, "must not be negative");
        problems.require(
                blueInstances != 0 || greenInstances != 0,
                "blueInstances + greenInstances",
                0,
                "must be at least one instance of either color");
        problems.throwIfAny();
        if (blueInstances == 0 || greenInstances == 0) {
            return new ColorWeights(BASE, BASE, blue, blueInstances == 0 ? Percent.ZERO : Percent.HUNDRED);
        }
        Fleet fleet = new Fleet(blueInstances, greenInstances);
        for (int base : BASES) {
            if (fleet.isFineEnough(base) && fleet.isNear(blue, base)) {
                return fleet.weights(blue, base);
            }
        }
        return fleet.weights(blue, BASES[BASES.length - 1]);
    }

    private record Fleet(long blues, long greens) {
        boolean isFineEnough(int base) {
            for (int percent = 1; percent < 100; percent++) {
                if (!isNear(Percent.of(percent), base)) {
                    return false;
                }
            }
            return true;
        }

        boolean isNear(Percent asked, int base) {
            ColorWeights weights = weights(asked, base);
            long all = blues * weights.blue + greens * weights.green;
            return Math.abs(blues * weights.blue * 10_000 - asked.basisPoints() * all) <= TOLERANCE * all;
        }

        ColorWeights weights(Percent asked, int base) {
            // Blue's weight stands to green's as these two do; the larger one becomes the base.
            long blueParts = asked.basisPoints() * greens;
            long greenParts = (10_000 - asked.basisPoints()) * blues;
            int blue = blueParts >= greenParts ? base : part(blueParts, greenParts, base);
            int green = blueParts >= greenParts ? part(greenParts, blueParts, base) : base;
            long all = blues * blue + greens * green;
            return new ColorWeights(blue, green, asked, new Percent((int) roundedDivide(blues * blue * 10_000, all)));
        }

        /** To the nearest whole number, but a share that was asked for is never rounded down to a drain. */
        private static int part(long smaller, long larger, int base) {
            return smaller == 0 ? 0 : (int) Math.max(1, roundedDivide(smaller * base, larger));
        }

        private static long roundedDivide(long dividend, long divisor) {
            return (dividend + divisor / 2) / divisor;
        }
    }
}
