package io.sluice.core.release;

import io.sluice.core.guard.Seen;
import java.util.Map;

/** What was seen of a release's canary on its current step. */
@FunctionalInterface
public interface Evidence {
    /** What all edges together saw stands under this name, which is no service's. */
    String EDGES = "(edges)";

    /** By the release's services, and {@link #EDGES}. */
    Map<String, Seen> of(Release release);
}
