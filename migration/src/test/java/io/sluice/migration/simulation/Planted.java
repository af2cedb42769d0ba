package io.sluice.migration.simulation;

/** A bug that is put into a world on purpose, to see that it is found. */
enum Planted {
    NOTHING("none"),
    /** The fence locks and lets everybody pass. */
    NO_OWNER_CHECK("two writers"),
    /** The fence looks at the side only: a request from before two moves passes. */
    NO_EPOCH_CHECK("a write that knows less than the fence"),
    /** The fence is asked in a transaction of its own, before that of the write. */
    FENCE_IN_OTHER_TRANSACTION("two writers"),
    /** Hand-over does not wait for writes that passed before the freeze. */
    NO_DRAIN("two writers"),
    /** The state is copied while it is still written. */
    COPY_BEFORE_FREEZE("the ledger is not what happened"),
    /** A mover that was suspended in the middle copies over what has happened meanwhile. */
    NO_FREEZE_CHECK("a hand-over of a key that was not frozen"),
    /** One statement reads and locks: what it read is from before it had the lock. */
    READ_BEFORE_LOCK("two writers"),
    /** The key is open on the other side before its state is there. */
    OPEN_BEFORE_COPY("the ledger is not what happened"),
    COPY_FORGETS_RESERVATIONS("the ledger is not what happened"),
    COPY_FORGETS_OPERATIONS("the ledger is not what happened"),
    /** A time-out counts as "nothing happened", and the router falls back. */
    FALLBACK_ON_UNKNOWN("told that nothing happened, and it had happened"),
    /** A fallback writes at legacy without moving the key there. */
    FALLBACK_WITHOUT_HAND_BACK("two writers"),
    /** A release is tried on both sides. */
    RELEASE_ON_BOTH_SIDES("two writers"),
    /** Whoever asks for an outcome is told what is so now, not what stays so. */
    OUTCOME_OF_THE_MOMENT("told that it did not happen, and it happens"),
    /** A shadow's grant passes the fence and writes. */
    SHADOW_WRITES("a shadow has written"),
    /** Mirroring holds nothing while it copies. */
    MIRROR_WITHOUT_LOCK("the ledger is not what happened"),
    /** A move that was given up opens the key with the epoch from before. */
    EPOCH_FALLS("the epoch fell"),
    /** A mover that stands still in the middle of its hand-over holds the key for as long as it does. */
    NO_LIMIT_FOR_MOVERS("customers wait for too long"),
    /** A crash in the middle of a move leaves the key frozen, and nobody finishes it. */
    NOBODY_FINISHES("a key is still frozen");

    private final String found;

    Planted(String found) {
        this.found = found;
    }

    /** How the violation begins that finds it. */
    String found() {
        return found;
    }
}
