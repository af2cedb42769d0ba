/** Do both ledgers add up? Every key of both, by its owner, and what is wrong with it. */
@NullMarked
package io.sluice.migration.ledger;

import org.jspecify.annotations.NullMarked;
