package io.sluice.core.rule;

/** How a rule source stands to its origin. */
public enum RuleState {
    /** Nothing was ever read: everybody is stable. */
    NO_RULES,
    /** Read from the file that an earlier run left behind; the origin has not answered since the start. */
    LAST_KNOWN_GOOD,
    /** The origin answered before, and does not now. */
    STALE,
    /** The origin was heard within the last seconds. */
    FRESH
}
