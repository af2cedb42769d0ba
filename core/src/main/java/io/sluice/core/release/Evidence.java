package io.sluice.core.release;

import io.sluice.core.observation.Tally;
import java.time.Duration;
import java.util.Map;

/** What was seen of a release's canary on its current step. */
@FunctionalInterface
public interface Evidence {
    /** By the name of who reported it: the release's services, and the edges that route to them. */
    Map<String, Seen> of(Release release);

    /**
     * What one reporter saw, merged over its instances.
     *
     * @param silence how long ago the newest request came in
     */
    record Seen(Tally canary, Duration silence) {
        /** Nothing at all. */
        public static final Seen NOTHING = new Seen(Tally.empty(), Duration.ZERO);
    }
}
