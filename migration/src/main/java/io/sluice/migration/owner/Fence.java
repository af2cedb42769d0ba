package io.sluice.migration.owner;

import io.sluice.migration.branch.Grant;

/**
 * Asked by both sides within the transaction of every operation, before anything else. Safe for use by many threads.
 *
 * @param <T> the transaction, like a {@code java.sql.Connection} with auto-commit off
 */
public interface Fence<T> {
    /**
     * Lets a write pass, and holds the key's owner until the transaction ends: a move that begins meanwhile waits for it.
     * Writes don't wait for each other here. A side reads and changes its ledger only after this.
     *
     * @throws OwnerChangedException when the key is being moved, belongs to the other side, or moved since the grant's
     *     epoch
     * @throws IllegalArgumentException for a shadow's grant
     */
    void admitWrite(T transaction, Grant grant);

    /**
     * Lets a read pass; holds nothing. A frozen key can be read at its owner. A shadow's grant always passes.
     *
     * @throws OwnerChangedException when the key belongs to the other side, or moved since the grant's epoch
     */
    void admitRead(T transaction, Grant grant);
}
