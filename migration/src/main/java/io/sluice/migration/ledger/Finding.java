package io.sluice.migration.ledger;

/**
 * One thing that is wrong with a key.
 *
 * @param text for people, says what there is
 */
public record Finding(Kind kind, String text) {
    /** What can be wrong. */
    public enum Kind {
        /** The owner's ledger does not have the key: what it held is lost, or lies where nobody looks. */
        MISSING,
        /** The side that does not own the key has changed since it was handed over: somebody wrote past the fence. */
        IN_BOTH,
        /** A move of the key stands still: nobody can write it. */
        FROZEN,
        /** An amount of the owner is below zero. */
        NEGATIVE,
        /** Both sides have the key, and what was handed over is not known under any name that the query gives. */
        UNCHECKED
    }
}
