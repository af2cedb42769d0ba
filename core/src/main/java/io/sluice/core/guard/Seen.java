package io.sluice.core.guard;

import io.sluice.core.observation.Tally;
import java.time.Duration;
import java.util.List;

/**
 * What one reporter saw of a release's step, merged over its instances.
 *
 * @param window canary's requests in the window of the hard limits, overdue ones among them
 * @param canary all of canary's requests since the step began
 * @param stable likewise stable's
 * @param silence how long ago the newest canary request came in
 * @param stableSilence likewise for stable
 * @param comparisons one a metric; empty before the first tick
 * @param crowd who came
 */
public record Seen(
        Tally window,
        Tally canary,
        Tally stable,
        Duration silence,
        Duration stableSilence,
        List<Comparison> comparisons,
        Crowd crowd) {
    /** Nothing at all. */
    public static final Seen NOTHING = new Seen(
            Tally.empty(), Tally.empty(), Tally.empty(), Duration.ZERO, Duration.ZERO, List.of(), Crowd.NOBODY);

    public Seen {
        comparisons = List.copyOf(comparisons);
    }
}
