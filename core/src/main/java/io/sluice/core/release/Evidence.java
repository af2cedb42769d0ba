package io.sluice.core.release;

import io.sluice.core.guard.Seen;
import io.sluice.core.guard.Verdict;
import java.util.Map;

/** What was seen of a release's canary on its current step. */
@FunctionalInterface
public interface Evidence {
    /** What all edges together saw stands under this name, which is no service's. */
    String EDGES = "(edges)";

    /** By the release's services, and {@link #EDGES}. */
    Map<String, Seen> of(Release release);

    /** What a look made of it, for the record. The release is the one that was judged, not the one that it became. */
    default void judged(Release release, Verdict verdict) {}
}
