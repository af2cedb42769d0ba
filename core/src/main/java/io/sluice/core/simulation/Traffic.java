package io.sluice.core.simulation;

import io.sluice.core.decision.Lane;
import io.sluice.core.observation.LaneTally;

/** Where the requests of one run come from. Each run takes a new one. */
@FunctionalInterface
public interface Traffic {
    /** Reports what happened from one second (inclusive) to another (exclusive). Called with times that join. */
    void report(double from, double to, Reports reports);

    /** Takes the report of one instance about one lane. */
    @FunctionalInterface
    interface Reports {
        void add(String instance, Lane lane, LaneTally report);
    }
}
