package io.sluice.wire.migration;

import io.sluice.migration.evidence.ExitCriteria;
import io.sluice.wire.Fields;
import io.sluice.wire.JsonText;
import io.sluice.wire.Read;
import tools.jackson.databind.node.ObjectNode;

/** A criteria file: {@code {"minNewSuccesses":50000,"maxFallbackBps":10,"maxShadowDiffBps":5,"minDays":7}}. */
public final class ExitCriteriaJson {
    private ExitCriteriaJson() {}

    public static byte[] write(ExitCriteria criteria) {
        ObjectNode out = JsonText.newObject();
        out.put("minNewSuccesses", criteria.minNewSuccesses());
        out.put("maxFallbackBps", criteria.maxFallbackBps());
        out.put("maxShadowDiffBps", criteria.maxShadowDiffBps());
        out.put("minDays", criteria.minDays());
        return JsonText.write(out);
    }

    /**
     * Reads a file; all four have to be there, and no others: a criterion that is left out or mistyped would be one that
     * nobody asked for.
     *
     * @throws io.sluice.core.problem.RefusedException with every problem of the document
     */
    public static ExitCriteria readStrict(byte[] json) {
        return JsonText.readStrict(json, ExitCriteriaJson::read);
    }

    private static ExitCriteria read(Fields in) {
        Read<Long> minNewSuccesses = in.whole("minNewSuccesses", 1, Fields.LARGEST_WHOLE);
        Read<Long> maxFallbackBps = in.whole("maxFallbackBps", 10_000);
        Read<Long> maxShadowDiffBps = in.whole("maxShadowDiffBps", 10_000);
        Read<Long> minDays = in.whole("minDays", 1, 366);
        return in.end(() -> new ExitCriteria(
                minNewSuccesses.get(),
                Math.toIntExact(maxFallbackBps.get()),
                Math.toIntExact(maxShadowDiffBps.get()),
                Math.toIntExact(minDays.get())));
    }
}
