package io.sluice.core.guard;

import io.sluice.core.observation.SampleTally;
import io.sluice.core.observation.Tally;
import java.time.Duration;
import java.util.List;

/** What a reporter saw, for tests. */
public final class SampleSeen {
    private SampleSeen() {}

    /** A canary, beside a stable lane that is healthy and never silent; nothing was compared yet. */
    public static Seen of(Tally canary, Duration silence) {
        Tally stable = SampleTally.of(1_000, 0, Duration.ofMillis(20), Duration.ofSeconds(1));
        return new Seen(canary, canary, stable, silence, Duration.ZERO, List.of(), Crowd.NOBODY);
    }
}
