package io.sluice.core.rule;

/**
 * Hears how a channel's release goes. What came between two looks at the rules is told as what it led to: of two changes
 * that arrive as one, the one in the middle may be missed, but what was heard always adds up to what is.
 *
 * <p>Each method gets the channel as it is after the event. In the order in which they are called for one change: {@link
 * #onStart}, {@link #onFlowChange}, {@link #onExitAllBlue}, {@link #onExitAllGreen}, {@link #onEnterAllBlue}, {@link
 * #onEnterAllGreen}, {@link #onFinish}. Outside a release the traffic is 50/50, so a release that begins with another
 * share is a start and a change of flow, and one that ends at another share is a change of flow and a finish. Whatever was
 * entered is left before the finish: a listener may forget everything then. A release that follows on another one in the
 * same change is told as if the channel had been outside a release in between.
 *
 * <p>A listener is called by one thread at a time, its own, and may take its time. It never misses an event because an
 * earlier one threw.
 */
public interface ChannelListener {
    /** A blue-green release began: from now on colors do not mix. */
    default void onStart(Channel channel) {}

    /** The release is over, or the channel is gone: colors may mix, and any instance serves. */
    default void onFinish(Channel channel) {}

    /** The share of blue changed; it is {@link Channel#bluePercent()}. */
    default void onFlowChange(Channel channel) {}

    /** Blue's share became 100 %: green is drained. */
    default void onEnterAllBlue(Channel channel) {}

    /** Blue's share is no longer 100 %. */
    default void onExitAllBlue(Channel channel) {}

    /** Blue's share became 0 %: blue is drained. */
    default void onEnterAllGreen(Channel channel) {}

    /** Blue's share is no longer 0 %. */
    default void onExitAllGreen(Channel channel) {}
}
