package io.sluice.migration.kit;

/** How a store fails under a branch. */
public enum Fault {
    /** It can't be reached at all. */
    UNREACHABLE,
    /** It takes the changes and breaks before they are durable: the connection ends in front of the commit. */
    BEFORE_COMMIT,
    /** It makes the changes durable and the answer is lost: the connection ends behind the commit. */
    ANSWER_LOST
}
