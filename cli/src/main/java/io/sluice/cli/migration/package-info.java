/**
 * May the old side of a migration go, do the ledgers agree, what is to be deleted? The command {@code sluice migration}.
 * It reads and prints; the judging is the migration library's.
 */
@NullMarked
package io.sluice.cli.migration;

import org.jspecify.annotations.NullMarked;
