package io.sluice.migration.branch;

import java.util.Optional;

/**
 * One of the two implementations. Users extend it by their own operations; the router passes them through.
 *
 * <p><b>The contract of every operation.</b> A write takes a {@link Grant} and shows it to the fence first, within the
 * same transaction as its own changes. It carries the id of the operation, and the same id sent twice happens once and
 * gives the same answer. When it ends with
 *
 * <ul>
 *   <li>a {@link NothingHappenedException}, it has changed nothing and never will;
 *   <li>a {@link BusinessAnswerException}, it has changed nothing, and the other side would say the same;
 *   <li>an {@link UnknownOutcomeException} or any other exception, it may have happened or may still happen. Whoever
 *       must know asks {@link #outcome}.
 * </ul>
 *
 * <p>A side that can't promise this can't be migrated with a router. {@code kit.BranchKit} tries it on any
 * implementation. All methods are called by many threads at once.
 */
public interface Branch {
    /**
     * What became of a write, finally: after {@link Outcome#DID_NOT_HAPPEN} the operation can't happen any more, even
     * when its request is still under way.
     *
     * @throws NothingHappenedException when this side can't tell now, or does not own the key any more
     */
    Outcome outcome(Grant grant, String operationId);

    /**
     * The key that an operation with this id belongs to, if this side knows one. A read, without a grant: it says where
     * to look, never who owns.
     *
     * @throws NothingHappenedException when this side can't tell now
     */
    Optional<String> keyOf(String operationId);
}
