/**
 * Who owns a key, truly: one row for each key that ever moved, in the database that holds both ledgers, and the fence that
 * every write passes within its own transaction.
 */
@NullMarked
package io.sluice.migration.owner;

import org.jspecify.annotations.NullMarked;
