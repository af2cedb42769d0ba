package io.sluice.migration.move;

/** What a move does with a key, one after the other. */
public enum MoveStep {
    /** No new write passes. */
    FREEZE,
    /** Those that passed before have ended. */
    DRAIN,
    /** The state is copied and the key opened on the other side, in one transaction. */
    HAND_OVER,
    /** Only when it can't be finished: the key is opened where it was. */
    RELEASE
}
