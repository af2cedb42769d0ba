/**
 * Is it safe? Thresholds, and the verdict about one tally of observations.
 * It only judges; {@code release} acts.
 */
@NullMarked
package io.sluice.core.guard;

import org.jspecify.annotations.NullMarked;
