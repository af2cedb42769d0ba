package io.sluice.migration.owner;

import io.sluice.migration.plan.Side;

/**
 * The user's part of a move: how the state of one key gets from one ledger into the other.
 *
 * @param <T> the transaction
 */
@FunctionalInterface
public interface KeyCopy<T> {
    /**
     * Makes the ledger of {@code to} say about the key what the ledger of {@code from} says, all of it: amounts,
     * outstanding reservations with their ids, the ids of operations that must not happen twice, and the version.
     * Replaces what {@code to} had, so that doing it again changes nothing. Nobody writes the key meanwhile, as long as the
     * transaction is neither committed nor rolled back here: its lock would be gone.
     *
     * @return what was handed over, for reconciliation: names and amounts, like available and reserved
     * @throws RuntimeException when it can't be done; the transaction is rolled back then
     */
    Amounts copy(T transaction, String key, Side from, Side to);
}
