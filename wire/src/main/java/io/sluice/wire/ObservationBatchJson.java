package io.sluice.wire;

import io.sluice.core.decision.Lane;
import io.sluice.core.observation.CustomerSample;
import io.sluice.core.observation.CustomerSketch;
import io.sluice.core.observation.CustomerTally;
import io.sluice.core.observation.LaneTally;
import io.sluice.core.observation.ObservationKey;
import io.sluice.core.observation.Tally;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.Names;
import io.sluice.wire.ObservationBatch.Entry;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.LongStream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The observations document, as {@code observations.schema.json} beside this class describes it. */
public final class ObservationBatchJson {
    /**
     * How many requests one entry may tell of. No process serves a million in a second, nor 16,000 a second over an
     * interval of a minute, on one lane; one that says so is broken or lies, and would outvote all others.
     */
    public static final long MOST_REQUESTS = 1_000_000;

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
        Read<Long> count = requests("count", in);
        Read<Long> failed = requests("failed", in);
        Read<Long> slow = requests("slow", in);
        Read<SortedMap<Integer, Long>> latencies = in.histogram("latencies", MOST_REQUESTS);
        Read<CustomerSketch> seen =
                in.optional("seen", CustomerSketch.empty(), field -> in.text(field, CustomerSketch::parse));
        Read<CustomerSample> failedCustomers = readSample("failedLevel", "failedCustomers", in);
        Read<CustomerSample> slowCustomers = readSample("slowLevel", "slowCustomers", in);
        Read<Long> anonymous = optionalRequests("anonymous", in);
        Read<Long> anonymousFailed = optionalRequests("anonymousFailed", in);
        Read<Long> anonymousSlow = optionalRequests("anonymousSlow", in);
        Read<Long> overdue = optionalRequests("overdue", in);
        return in.end(() -> {
            // Both are made before either refuses, so that all contradictions are named.
            Read<Tally> requests = in.whole(() -> new Tally(count.get(), failed.get(), slow.get(), latencies.get()));
            Read<CustomerTally> customers = in.whole(() -> new CustomerTally(
                    seen.get(),
                    failedCustomers.get(),
                    slowCustomers.get(),
                    anonymous.get(),
                    anonymousFailed.get(),
                    anonymousSlow.get()));
            return in.end(() -> new Entry(
                    new ObservationKey(release.get(), step.get(), lane.get()),
                    new LaneTally(requests.get(), customers.get(), overdue.get())));
        });
    }

    private static Read<Long> requests(String field, Fields in) {
        return in.whole(field, MOST_REQUESTS);
    }

    private static Read<Long> optionalRequests(String field, Fields in) {
        return in.optional(field, 0L, there -> requests(there, in));
    }

    private static Read<CustomerSample> readSample(String levelField, String customersField, Fields in) {
        Read<Long> level = in.optional(levelField, 0L, field -> in.whole(field, CustomerSample.HIGHEST_LEVEL));
        int known = level.isThere() ? level.get().intValue() : 0;
        return in.optional(
                customersField,
                CustomerSample.of(known, 1, LongStream.empty()),
                field -> in.text(field, text -> CustomerSample.parse(known, text, CustomerSample.MOST_IN_REPORT)));
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
        CustomerTally customers = entry.tally().customers();
        putUnlessEmpty(out, "seen", customers.seen().text());
        putUnlessZero(out, "failedLevel", customers.failed().level());
        putUnlessEmpty(out, "failedCustomers", customers.failed().text());
        putUnlessZero(out, "slowLevel", customers.slow().level());
        putUnlessEmpty(out, "slowCustomers", customers.slow().text());
        putUnlessZero(out, "anonymous", customers.anonymous());
        putUnlessZero(out, "anonymousFailed", customers.anonymousFailed());
        putUnlessZero(out, "anonymousSlow", customers.anonymousSlow());
        putUnlessZero(out, "overdue", entry.tally().overdue());
    }

    private static void putUnlessEmpty(ObjectNode out, String field, String text) {
        if (!text.isEmpty()) {
            out.put(field, text);
        }
    }

    private static void putUnlessZero(ObjectNode out, String field, long number) {
        if (number != 0) {
            out.put(field, number);
        }
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
