/** For tests: a kit that any implementation of a branch can be held against, and owners in memory that keep the same promises. */
@NullMarked
package io.sluice.migration.kit;

import org.jspecify.annotations.NullMarked;
