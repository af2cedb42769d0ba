package io.sluice.core.channel;

import java.util.List;

/** What runs, as the processes report it. Safe for all threads. */
@FunctionalInterface
public interface Workloads {
    /**
     * All processes that are known, also those that have not reported for a while: one that was cut off still takes
     * requests. Only a process that said goodbye, or that an operator has struck off, is gone.
     */
    List<Workload> all();

    /** The names of those that could not use the newest rules they got: what holds canary releases, too. */
    default List<String> refusing() {
        return Fleet.of(this).refusers();
    }
}
