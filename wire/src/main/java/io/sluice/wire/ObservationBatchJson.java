package io.sluice.wire;

import io.sluice.core.decision.Lane;
import io.sluice.core.observation.LaneTally;
import io.sluice.core.observation.ObservationKey;
import io.sluice.core.observation.Tally;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.Names;
import io.sluice.wire.ObservationBatch.Entry;
import java.util.List;
import java.util.SortedMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The observations document, as {@code observations.schema.json} beside this class describes it. */
public final class ObservationBatchJson {
    // Small enough that no sum over instances and intervals ever overflows.
    private static final long MOST_REQUESTS = 1_000_000_000;

    private ObservationBatchJson() {}

    public static byte[] write(ObservationBatch batch) {
        ObjectNode out = JsonText.newObject();
        out.put("instance", batch.instance());
        out.put("service", batch.service());
        out.put("version", batch.version());
        out.put("run", batch.run());
        out.put("sequence", batch.sequence());
        ArrayNode entries = out.putArray("entries");
        batch.entries().forEach(entry -> writeEntry(entries.addObject(), entry));
        return JsonText.write(out);
    }

    /**
     * Reads what a process reported, perhaps one newer than this server: unknown fields are passed over.
     *
     * @throws RefusedException with every problem of the document
     */
    public static ObservationBatch read(byte[] json) {
        return JsonText.readLenient(json, ObservationBatchJson::readBatch);
    }

    private static ObservationBatch readBatch(Fields in) {
        Read<String> instance = in.text("instance", ObservationBatch::requireInstance);
        Read<String> service = in.text("service", Names::requireService);
        Read<String> version = in.text("version", ObservationBatch::requireVersion);
        Read<Long> run = in.whole("run", Fields.LARGEST_WHOLE);
        Read<Long> sequence = in.whole("sequence", Fields.LARGEST_WHOLE);
        Read<List<Entry>> entries = in.objects("entries", ObservationBatchJson::readEntry);
        return in.end(() -> new ObservationBatch(
                instance.get(), service.get(), version.get(), sequence.get(), run.get(), entries.get()));
    }

    private static Entry readEntry(Fields in) {
        Read<String> release = in.text("release", Names::requireId);
        Read<Long> step = in.whole("step", Fields.LARGEST_WHOLE);
        Read<Lane> lane = in.text("lane", ObservationBatchJson::parseLane);
        Read<Long> count = in.whole("count", MOST_REQUESTS);
        Read<Long> failed = in.whole("failed", MOST_REQUESTS);
        Read<Long> slow = in.whole("slow", MOST_REQUESTS);
        Read<SortedMap<Integer, Long>> latencies = in.histogram("latencies", MOST_REQUESTS);
        return in.end(() -> new Entry(
                new ObservationKey(release.get(), step.get(), lane.get()),
                LaneTally.of(new Tally(count.get(), failed.get(), slow.get(), latencies.get()))));
    }

    private static void writeEntry(ObjectNode out, Entry entry) {
        out.put("release", entry.key().release());
        out.put("step", entry.key().step());
        out.put("lane", entry.key().lane().label());
        Tally tally = entry.tally().requests();
        out.put("count", tally.count());
        out.put("failed", tally.failed());
        out.put("slow", tally.slow());
        ObjectNode latencies = out.putObject("latencies");
        tally.latencies().forEach((bucket, n) -> latencies.put(String.valueOf(bucket), n));
    }

    private static Lane parseLane(String label) {
        for (Lane lane : Lane.values()) {
            if (lane.label().equals(label)) {
                return lane;
            }
        }
        throw new RefusedException("lane", label.isEmpty() ? "empty" : label, "must be stable or canary");
    }
}
