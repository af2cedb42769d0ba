package io.sluice.server.leadership;

import java.util.function.Supplier;

/**
 * Whether this server is the one whose loops act. Several servers may share a PostgreSQL; one at a time leads. What an
 * operator commands is carried out by whichever server is asked. Safe for all threads.
 *
 * <pre>{@code
 * leadership.lead(orchestrator::look);          // the loop, on every server
 *
 * transaction.execute(status -> {               // the store, in each save
 *     leadership.requireStill();
 *     ...
 * });
 * }</pre>
 */
public interface Leadership {
    /** As far as this server knows; only {@link #requireStill()} is sure. */
    default boolean isLeader() {
        return epoch() != 0;
    }

    /**
     * Which term this is, as far as this server knows; 0 while another one leads. What was kept in memory from another term
     * may be out of date.
     */
    long epoch();

    /**
     * Looks before something is taken in that only the leader makes use of.
     *
     * @throws NotLeaderException when another server leads
     */
    default void requireLeader() {
        if (!isLeader()) {
            throw new NotLeaderException();
        }
    }

    /**
     * Acts in the leader's name, on this thread, or does nothing where another one leads. What is saved meanwhile is saved
     * under the epoch that held when it began, or not at all.
     */
    void lead(Runnable action);

    /**
     * Carries out, on this thread, what is judged by what only the leader knows, as a command by what processes report. What
     * is saved meanwhile is saved in the term that held when it began, or not at all: whoever slept in between knows nothing
     * any more.
     *
     * @throws NotLeaderException when another server leads; nothing was done
     * @throws LeadershipLostException when another server has led meanwhile; nothing was saved
     */
    <T> T inTerm(Supplier<T> action);

    /**
     * Makes the transaction of this thread fail when it acts in the name of a leader that was replaced, and holds off a
     * replacement until the transaction is over. Asks nothing outside of {@link #lead} and {@link #inTerm}: that is an
     * operator's command which any server carries out.
     *
     * @throws LeadershipLostException when another server has led meanwhile
     */
    void requireStill();

    /** For a server that has its database to itself. */
    static Leadership alone() {
        return new Alone();
    }
}
