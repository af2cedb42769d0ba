package io.sluice.wire.migration;

import io.sluice.migration.evidence.Evidence;
import io.sluice.migration.evidence.EvidenceDay;
import io.sluice.wire.Fields;
import io.sluice.wire.JsonText;
import io.sluice.wire.Read;
import java.time.LocalDate;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A stats file: {@code {"days":[{"date":"2026-11-30","newSuccesses":..,"fallbacks":..,"shadowChecks":..,"shadowDiffs":..,"complete":true}]}}. */
public final class EvidenceStatsJson {
    private EvidenceStatsJson() {}

    public static byte[] write(Evidence evidence) {
        ObjectNode out = JsonText.newObject();
        ArrayNode days = out.putArray("days");
        evidence.days()
                .forEach(day -> days.addObject()
                        .put("date", day.date().toString())
                        .put("newSuccesses", day.newSuccesses())
                        .put("fallbacks", day.fallbacks())
                        .put("shadowChecks", day.shadowChecks())
                        .put("shadowDiffs", day.shadowDiffs())
                        .put("complete", day.complete()));
        return JsonText.write(out);
    }

    /**
     * Reads a file; all fields have to be there, and no others. The days may stand in any order.
     *
     * @throws io.sluice.core.problem.RefusedException with every problem of the document
     */
    public static Evidence readStrict(byte[] json) {
        return JsonText.readStrict(json, in -> {
            Read<List<EvidenceDay>> days = in.objects("days", EvidenceStatsJson::readDay);
            return in.end(() -> new Evidence(days.get()));
        });
    }

    private static EvidenceDay readDay(Fields in) {
        Read<LocalDate> date = in.text("date", TimeText::date);
        Read<Long> newSuccesses = in.whole("newSuccesses", Fields.LARGEST_WHOLE);
        Read<Long> fallbacks = in.whole("fallbacks", Fields.LARGEST_WHOLE);
        Read<Long> shadowChecks = in.whole("shadowChecks", Fields.LARGEST_WHOLE);
        Read<Long> shadowDiffs = in.whole("shadowDiffs", Fields.LARGEST_WHOLE);
        Read<Boolean> complete = in.flag("complete");
        return in.end(() -> new EvidenceDay(
                date.get(),
                newSuccesses.get(),
                fallbacks.get(),
                shadowChecks.get(),
                shadowDiffs.get(),
                complete.get()));
    }
}
