package io.sluice.core.release;

import io.sluice.core.guard.Seen;
import io.sluice.core.guard.Verdict;
import java.util.Map;

/** What was seen of what a release lets in, on its current step. */
@FunctionalInterface
public interface Evidence {
    /** What all edges together saw stands under this name, which is no service's. */
    String EDGES = "(edges)";

    /** By the subject's services, and {@link #EDGES}. */
    Map<String, Seen> of(Subject subject);

    /** What a look made of it, for the record. The subject is the one that was judged, not the one that came of it. */
    default void judged(Subject subject, Verdict verdict) {}
}
