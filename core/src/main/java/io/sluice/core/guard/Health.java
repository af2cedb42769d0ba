package io.sluice.core.guard;

/** What a verdict comes to, from good to bad. */
public enum Health {
    /** Enough evidence, and nothing over a limit. */
    HEALTHY,
    /** Not enough evidence to say either; never a reason to go on. */
    HOLD,
    /** Over a limit. */
    BREACH
}
