package io.sluice.server.observations;

import io.sluice.wire.ObservationBatch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who reports. Knows the highest sequence of each instance's run, so that a batch that is sent again counts once; forgets
 * the instances that were silent longest when there are too many. Used by one thread at a time.
 */
final class Reporters {
    private static final int MOST = 10_000;

    private final Map<String, Reporter> byInstance = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Reporter> eldest) {
            return size() > MOST;
        }
    };

    /** What is known of an instance from its newest batch. */
    record Reporter(String instance, String service, String version, long run, long sequence, long heardNanos) {
        static Reporter of(ObservationBatch batch, long now) {
            return new Reporter(batch.instance(), batch.service(), batch.version(), batch.run(), batch.sequence(), now);
        }

        boolean sent(ObservationBatch batch) {
            return run == batch.run() && batch.sequence() <= sequence;
        }

        Reporter heard(long now) {
            return new Reporter(instance, service, version, run, sequence, now);
        }
    }

    /** Notes a batch; false when it is one that was noted before. */
    boolean isNew(ObservationBatch batch, long now) {
        Reporter known = byInstance.get(batch.instance());
        if (known != null && known.sent(batch)) {
            byInstance.put(batch.instance(), known.heard(now));
            return false;
        }
        byInstance.put(batch.instance(), Reporter.of(batch, now));
        return true;
    }

    List<Reporter> heardSince(long nanos) {
        return byInstance.values().stream()
                .filter(reporter -> reporter.heardNanos() - nanos >= 0)
                .toList();
    }
}
