package io.sluice.core.channel;

import io.sluice.core.release.Refusals;
import java.util.List;

/** What runs, as the processes report it. Safe for all threads. */
@FunctionalInterface
public interface Workloads extends Refusals {
    /**
     * All processes that are known, also those that have not reported for a while: one that was cut off still takes
     * requests. Only a process that said goodbye, or that an operator has struck off, is gone.
     */
    List<Workload> all();

    @Override
    default List<String> refusing() {
        return Fleet.of(this).refusers();
    }
}
