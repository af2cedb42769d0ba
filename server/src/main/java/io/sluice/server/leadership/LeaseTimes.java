package io.sluice.server.leadership;

import java.time.Duration;

/**
 * How long a lease holds and how often it is asked about. Another server takes over after {@code expiry} and
 * {@code lookEvery} at most.
 *
 * @param expiry after which a leader that is not heard of has lost it
 * @param renewEvery how often the leader renews it
 * @param lookEvery how often the others look whether it has expired
 */
record LeaseTimes(Duration expiry, Duration renewEvery, Duration lookEvery) {
    static final LeaseTimes DEFAULT =
            new LeaseTimes(Duration.ofSeconds(10), Duration.ofSeconds(2), Duration.ofSeconds(1));
}
