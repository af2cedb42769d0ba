/**
 * How did it go? Mergeable, bounded tallies of requests by release, step and lane.
 * It counts and never judges.
 */
@NullMarked
package io.sluice.core.observation;

import org.jspecify.annotations.NullMarked;
