package io.sluice.server.metrics;

import java.net.URI;
import java.time.Duration;

/**
 * Where a Prometheus is and how it is asked.
 *
 * @param url without {@code /api/v1}
 * @param token shown as a bearer token; empty for none
 * @param every how often each metric is asked
 */
record PrometheusSettings(URI url, String token, Duration every) {
    @Override
    public String toString() {
        return url + " every " + every;
    }
}
