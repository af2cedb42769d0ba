package io.sluice.migration.shadow;

import io.sluice.migration.branch.Branch;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.Read;
import io.sluice.migration.branch.Versioned;

/**
 * What a router tells of each read that the authority has answered, so that the other side may be asked as well. Called on
 * the request path by many threads: implementations never block and never throw, and have no say in the answer.
 */
public interface SecondLook<B extends Branch> {
    /**
     * Takes note of an answer.
     *
     * @param grant the one by which the authority has answered: its side is the authority
     * @param read may be tried on both sides later, by another thread
     */
    <R> void offer(Grant grant, Read<B, R> read, Versioned<R> answer);

    /** Looks at nothing. */
    static <B extends Branch> SecondLook<B> none() {
        return new SecondLook<>() {
            @Override
            public <R> void offer(Grant grant, Read<B, R> read, Versioned<R> answer) {}
        };
    }
}
