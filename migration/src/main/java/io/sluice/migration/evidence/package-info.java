/** Is it proven yet? Counts by day, and the exit criteria that are held against them. */
@NullMarked
package io.sluice.migration.evidence;

import org.jspecify.annotations.NullMarked;
