package io.sluice.server.observations;

import io.sluice.wire.ObservationBatch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who reports. Knows which batches of each instance's run came, so that one that is sent again counts once, in whatever
 * order they come; forgets the instances that were silent longest when there are too many. Used by one thread at a time.
 *
 * <p>Two processes under one name are told apart by their runs, so neither hides what the other reports.
 */
final class Reporters {
    private static final int MOST = 10_000;

    private final Map<Run, Reporter> byRun = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Run, Reporter> eldest) {
            return size() > MOST;
        }
    };

    private record Run(String service, String instance, long run) {}

    /**
     * What is known of an instance from its newest batch.
     *
     * @param sequence the highest that came
     * @param came bit i for sequence - i
     */
    record Reporter(String instance, String service, String version, long sequence, long came, long heardNanos) {
        /** With a batch; its numbers stay as they are if it came before, or is too late to tell. */
        Reporter with(ObservationBatch batch, long now) {
            long ahead = batch.sequence() - sequence;
            long bits = ahead <= 0 ? came | bit(-ahead) : (ahead < Long.SIZE ? came << ahead : 0) | 1;
            return new Reporter(instance, service, batch.version(), Math.max(sequence, batch.sequence()), bits, now);
        }

        boolean has(ObservationBatch batch) {
            long behind = sequence - batch.sequence();
            return behind >= 0 && (behind >= Long.SIZE || (came & bit(behind)) != 0);
        }

        private static long bit(long behind) {
            return behind < Long.SIZE ? 1L << behind : 0;
        }
    }

    /** Notes a batch; false when it is one that was noted before, or 64 batches later than it should be. */
    boolean isNew(ObservationBatch batch, long now) {
        Run run = new Run(batch.service(), batch.instance(), batch.run());
        Reporter known = byRun.get(run);
        boolean isNew = known == null || !known.has(batch);
        byRun.put(
                run,
                known == null
                        ? new Reporter(batch.instance(), batch.service(), batch.version(), batch.sequence(), 1, now)
                        : known.with(batch, now));
        return isNew;
    }

    /** Each once, as it was heard last: a run that ended a moment ago is not another instance. */
    List<Reporter> heardSince(long nanos) {
        Map<List<String>, Reporter> newest = new LinkedHashMap<>();
        for (Reporter reporter : byRun.values()) {
            if (reporter.heardNanos() - nanos >= 0) {
                newest.put(List.of(reporter.service(), reporter.instance()), reporter);
            }
        }
        return List.copyOf(newest.values());
    }
}
