/** The demo of a migration: the stock of a shop moves from its old ledger to a new one, while customers buy. */
@NullMarked
package io.sluice.cli.demo.migration;

import org.jspecify.annotations.NullMarked;
