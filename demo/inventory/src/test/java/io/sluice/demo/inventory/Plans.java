package io.sluice.demo.inventory;

import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.PlanSource;
import java.util.concurrent.atomic.AtomicReference;

/** A process's knowledge of the plan, which may be behind. */
final class Plans implements PlanSource {
    private final AtomicReference<Plan> newest;
    private volatile Plan known;

    Plans(AtomicReference<Plan> newest) {
        this.newest = newest;
        this.known = newest.get();
    }

    Plans(Plan plan) {
        this(new AtomicReference<>(plan));
    }

    @Override
    public Plan current() {
        return known;
    }

    @Override
    public Plan refresh() {
        known = newest.get();
        return known;
    }

    /** Learns of a plan, which may be older than the newest. */
    void learn(Plan plan) {
        if (plan.revision() > known.revision()) {
            known = plan;
        }
    }

    void change(Plan plan) {
        newest.set(plan);
        learn(plan);
    }
}
