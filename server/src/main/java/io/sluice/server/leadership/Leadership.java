package io.sluice.server.leadership;

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
    boolean isLeader();

    /**
     * Acts in the leader's name, on this thread, or does nothing where another one leads. What is saved meanwhile is saved
     * under the epoch that held when it began, or not at all.
     */
    void lead(Runnable action);

    /**
     * Makes the transaction of this thread fail when it acts in the name of a leader that was replaced, and holds off a
     * replacement until the transaction is over. Asks nothing outside of {@link #lead}: that is an operator's command.
     *
     * @throws LeadershipLostException when another server has led meanwhile
     */
    void requireStill();

    /** For a server that has its database to itself. */
    static Leadership alone() {
        return new Alone();
    }
}
