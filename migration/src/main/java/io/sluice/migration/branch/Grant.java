package io.sluice.migration.branch;

import io.sluice.migration.plan.Side;

/**
 * What a router believes about a key when it hands an operation to a side. The side shows it to its fence within the
 * transaction of the operation, and the fence says whether it holds.
 *
 * @param key the key
 * @param side the side that the router believes to own it, and which gets the operation
 * @param epoch the latest epoch that the router knows of
 * @param isShadow whether the other side only looks on: such a grant reads whatever the side holds, and writes nothing
 */
public record Grant(String key, Side side, long epoch, boolean isShadow) {
    public static Grant of(String key, Side side, long epoch) {
        return new Grant(key, side, epoch, false);
    }

    /** To read from a side that is not the authority. */
    public static Grant shadow(String key, Side side) {
        return new Grant(key, side, Long.MAX_VALUE, true);
    }
}
