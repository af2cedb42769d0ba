/** Moves keys: one after the other through freeze, drain and hand-over, in batches that can be paused and hurried. */
@NullMarked
package io.sluice.migration.move;

import org.jspecify.annotations.NullMarked;
