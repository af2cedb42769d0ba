package io.sluice.core.release;

import io.sluice.core.guard.Finding;
import java.util.List;

/**
 * What other systems say about a release's metrics. Answers at once with what it knows; asking is done elsewhere, so that
 * a source which hangs delays nobody.
 */
@FunctionalInterface
public interface MetricSource {
    /** One for each metric of its plan; on hold where nothing new enough is known. */
    List<Finding> of(Release release);

    /** For releases that have no such metrics. */
    static MetricSource none() {
        return release -> List.of();
    }
}
