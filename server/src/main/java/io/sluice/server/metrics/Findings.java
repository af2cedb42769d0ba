package io.sluice.server.metrics;

import io.sluice.core.guard.Finding;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.Metric;
import io.sluice.core.guard.Tick;

/** What is found of one metric. */
record Findings(Metric metric) {
    /** Who says it. */
    static final String REPORTER = "prometheus";

    Finding of(Health health, String reason, Tick counts, double value, double limit) {
        return new Finding(REPORTER, metric.name(), metric.critical(), health, reason, counts, value, limit);
    }

    Finding number(Health health, String reason, double value, double limit) {
        return of(health, reason, Tick.NOTHING, value, limit);
    }

    Finding hold(String reason) {
        return number(Health.HOLD, reason, Double.NaN, Double.NaN);
    }
}
