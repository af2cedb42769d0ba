package io.sluice.migration.owner;

import io.sluice.migration.plan.Side;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The rows that say who owns a key, and the steps by which that changes. One move of one key is {@link #freeze}, {@link
 * #drain}, {@link #handOver}; whoever finds a frozen key may finish the move, whoever began it, and two who do it at once
 * do it once. Safe for use by many threads and processes.
 *
 * <pre>
 *   OPEN at legacy, epoch e ── freeze ──> FROZEN, epoch e' ── drain, handOver ──> OPEN at new, epoch e'
 *            ^                              │
 *            └────────── release ───────────┘
 * </pre>
 *
 * @param <T> the transaction that {@link Fence} and {@link KeyCopy} work in
 */
public interface Owners<T> {
    /** Who owns it now. */
    Owned of(String key);

    /** Who owns each of them now, keys that never moved included. */
    Map<String, Owned> of(Collection<String> keys);

    /**
     * Begins a move: from its commit on no new write to the key passes a fence. Those that have passed go on.
     *
     * <p>Does nothing when the key already belongs to that side, or is frozen already, and returns what is so.
     *
     * @param epoch the least epoch that the key gets; it gets a later one if it has this or a later one already
     */
    Owned freeze(String key, Side to, long epoch);

    /**
     * Waits until no write that passed a fence before the freeze is still open.
     *
     * @return whether that is so; false when the limit ran out, and the key is still frozen
     */
    boolean drain(Owned frozen, Duration limit);

    /**
     * Ends a move: copies the key's state to the other side and opens it there, in one transaction, which also makes
     * sure that the key is still frozen with this epoch and drained. When the copy fails nothing has changed.
     *
     * @return who owns the key now; whatever somebody else has made of it, when it was no longer frozen with this epoch
     * @throws RuntimeException what the copy has thrown, or because a write that passed before is open for too long
     */
    Owned handOver(Owned frozen, KeyCopy<T> copy);

    /**
     * Gives up a move: opens the key where it was, unless it was no longer frozen with this epoch. It keeps the epoch, so
     * that the mover that had begun finds it changed even when it is frozen again.
     */
    Owned release(Owned frozen);

    /**
     * Copies the state of a key to the side that does not own it, so that both can be compared; changes no owner.
     * Keeps what was copied, as a hand-over does, so that reconciliation knows what the copy should say.
     *
     * @return whether it was done; false when the key is being moved
     */
    boolean mirror(String key, KeyCopy<T> copy);

    /** Keys that have been frozen for at least so long, the longest first: somebody who moved them is gone, or slow. */
    List<Owned> frozenFor(Duration atLeast, int limit);
}
