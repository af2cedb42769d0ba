package io.sluice.core.decision;

import io.sluice.core.identity.Identity;

/**
 * How one release divides its customers. Immutable, safe for all threads; deciding never throws and never blocks.
 *
 * <p>An aborted split is another type, which has no allowlist and no percentage to honour by mistake.
 */
public sealed interface Split permits Weighted, Aborted {
    /** The lane of an identity by the split's own percentage. */
    Decision decide(Identity who);

    /**
     * The lane of an identity to which a rule applies.
     *
     * @param percent the share of the rule, in place of the split's own
     * @param reason the reason to give, ready made
     */
    Decision decide(Identity who, Percent percent, String reason);

    /** The bucket that an identity falls into, 0..9999. */
    int bucket(Identity who);

    Bucketing bucketing();

    /** The share that this split gives to canary now. */
    Percent percent();

    boolean isAborted();

    /** This split after an abort: everybody is stable, whatever was said before. An abort keeps its first reason. */
    Split abort(String reason);
}
