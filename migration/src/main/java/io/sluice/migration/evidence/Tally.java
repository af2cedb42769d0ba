package io.sluice.migration.evidence;

import io.sluice.migration.plan.Side;

/** What a router has counted. Called on the request path by many threads; implementations only add. */
public interface Tally {
    /** Takes no note. */
    Tally NONE = new Tally() {};

    /** A side answered with a result. */
    default void succeeded(Side side) {}

    /** The new side was not available, and the request went to legacy, to which its key was handed back. */
    default void fellBack() {}

    /**
     * A side was not available, or a read failed there in whatever way, and nobody else has answered. Those of the new side
     * weigh as much as a fallback: without a hand-back there would be no other sign of it.
     */
    default void unanswered(Side side) {}

    /** A side's answer is unknown. */
    default void unknown(Side side) {}

    /** A fence has refused: this process was behind. */
    default void wasBehind() {}

    /** A read was compared on both sides. */
    default void compared(boolean isDifferent) {}

    /** A read was to be compared and was not: the other side was busy, slow or behind. */
    default void notCompared() {}
}
