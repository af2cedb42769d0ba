package io.sluice.migration.kit;

import io.sluice.migration.branch.Branch;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.owner.Fence;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.owner.Owners;
import io.sluice.migration.plan.Side;

/**
 * What {@link BranchKit} has to know of two branches in order to try them. Called by many threads at once.
 *
 * @param <B> the branches' own interface
 * @param <T> the transaction
 */
public interface BranchFixture<B extends Branch, T> {
    /** The owners that both branches' fences ask. */
    Owners<T> owners();

    /** The fence of those owners; often the same object. */
    Fence<T> fence();

    /** How a key gets from one ledger into the other. */
    KeyCopy<T> copy();

    /**
     * One side over its store, asking this fence. All branches of one side share the store.
     *
     * @param fence {@link #fence()}, or one that looks on and passes everything to it
     */
    B branch(Side side, Fence<T> fence);

    /**
     * The same, but its store fails like this in every write. The store of the other branches, and the fence's, work.
     */
    B failing(Side side, Fence<T> fence, Fault fault);

    /** A key that legacy knows and nobody has used yet, with room for 1,000 writes. */
    String freshKey();

    /**
     * A write that changes what {@link #read} gives, by the same amount each time.
     *
     * @return the branch's answer, compared by {@code equals}; any object when it has none
     */
    Object write(B branch, Grant grant, String operationId);

    /**
     * A write that takes such a write back.
     *
     * @param operationId the id of this operation
     * @param writeId the id of the write that it takes back
     */
    Object undo(B branch, Grant grant, String operationId, String writeId);

    /** A write that a branch answers with a {@link io.sluice.migration.branch.BusinessAnswerException}. */
    Object refused(B branch, Grant grant, String operationId);

    /** The key's state as the branch tells it. */
    Versioned<?> read(B branch, Grant grant);
}
