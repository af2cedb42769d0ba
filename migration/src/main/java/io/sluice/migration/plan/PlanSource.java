package io.sluice.migration.plan;

/** Where a process gets its plan from. Implementations are safe for use by many threads. */
public interface PlanSource {
    /** The plan as this process knows it. Never blocks, never throws. */
    Plan current();

    /**
     * Looks the plan up again, because a branch has shown that this process is behind. May block as long as one read of
     * the database takes. When it can't be looked up, the plan stays as it was.
     */
    Plan refresh();
}
