/**
 * Is it safe? Hard limits on canary, comparisons with stable that may be looked at all the time, and the verdict.
 * It only judges; {@code release} acts.
 */
@NullMarked
package io.sluice.core.guard;

import org.jspecify.annotations.NullMarked;
