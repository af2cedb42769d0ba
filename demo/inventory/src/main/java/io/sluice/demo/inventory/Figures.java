package io.sluice.demo.inventory;

import io.sluice.migration.evidence.CountedDay;
import io.sluice.migration.evidence.Counts;
import io.sluice.migration.evidence.EvidenceCounters;
import io.sluice.migration.plan.PlanSource;
import io.sluice.wire.JsonText;
import java.util.function.ToLongFunction;
import tools.jackson.databind.node.ObjectNode;

/** What one process has counted since it started, over all days, as JSON. Safe for use by many threads. */
final class Figures {
    private final String reporter;
    private final PlanSource plans;
    private final EvidenceCounters counters;

    Figures(String reporter, PlanSource plans, EvidenceCounters counters) {
        this.reporter = reporter;
        this.plans = plans;
        this.counters = counters;
    }

    byte[] json() {
        ObjectNode out = JsonText.newObject();
        out.put("reporter", reporter).put("planRevision", plans.current().revision());
        out.put("newSuccesses", sum(Counts::newSuccesses)).put("legacySuccesses", sum(Counts::legacySuccesses));
        out.put("fallbacks", sum(Counts::fallbacks)).put("behind", sum(Counts::behind));
        out.put("shadowChecks", sum(Counts::shadowChecks)).put("shadowDiffs", sum(Counts::shadowDiffs));
        out.put("notCompared", sum(Counts::notCompared)).put("unknown", sum(Counts::unknown));
        return JsonText.write(out);
    }

    private long sum(ToLongFunction<Counts> count) {
        return counters.days().stream().map(CountedDay::counts).mapToLong(count).sum();
    }
}
