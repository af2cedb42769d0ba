package io.sluice.server.publishing;

import org.jspecify.annotations.Nullable;

/**
 * How a target stands to what is published.
 *
 * @param target as the flag names it
 * @param published the newest rules here, {@code <epoch>.<revision>}
 * @param written the rules that the target was last known to hold; null before it ever was
 * @param lagMillis for how long the target has been behind, 0 when it has the newest rules
 * @param writes how often something was written there
 * @param repairs how often something else was found there after a write, and written over
 * @param lastError why the last try failed; null when it did not
 */
record TargetView(
        String target,
        String published,
        @Nullable String written,
        long lagMillis,
        long writes,
        long repairs,
        @Nullable String lastError) {}
