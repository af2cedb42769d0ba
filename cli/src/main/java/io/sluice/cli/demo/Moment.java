package io.sluice.cli.demo;

import io.sluice.cli.demo.load.Ledger;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * All that the demo shows of one moment.
 *
 * @param sinceStart how long the demo has run
 * @param release where the release stands
 * @param lanes what the processes reported
 * @param client what the customers saw
 * @param processes how many processes run
 * @param residentBytes the memory that they hold; zero if unknown
 * @param console where a browser finds the same
 */
record Moment(
        Duration sinceStart,
        ReleaseState release,
        List<LaneTotal> lanes,
        Ledger.Figures client,
        int processes,
        long residentBytes,
        URI console) {}
