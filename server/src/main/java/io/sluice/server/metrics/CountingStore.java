package io.sluice.server.metrics;

import io.sluice.core.guard.Detector;
import io.sluice.core.guard.Tick;
import io.sluice.core.release.Release;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** Keeps what was counted on the current step of each release, so that a restart is no new start of a comparison. */
final class CountingStore {
    private static final JsonMapper JSON = new JsonMapper();

    private final JdbcClient jdbc;

    CountingStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** What was saved last for a metric of the release's step; null before the first time. */
    @Nullable
    Counting load(Release release, String metric) {
        return jdbc.sql("select state from metric_state where release_id = ? and step = ? and metric = ?")
                .params(release.id(), release.step(), metric)
                .query(String.class)
                .optional()
                .map(state -> JSON.readValue(state, Saved.class).counting())
                .orElse(null);
    }

    /** Saves, and forgets the steps before. */
    void save(Release release, String metric, Counting counting) {
        String state = JSON.writeValueAsString(Saved.of(counting));
        int updated = jdbc.sql("update metric_state set state = ? where release_id = ? and step = ? and metric = ?")
                .params(state, release.id(), release.step(), metric)
                .update();
        if (updated == 0) {
            jdbc.sql("delete from metric_state where release_id = ? and step < ?")
                    .params(release.id(), release.step())
                    .update();
            jdbc.sql("insert into metric_state (state, release_id, step, metric) values (?, ?, ?, ?)")
                    .params(state, release.id(), release.step(), metric)
                    .update();
        }
    }

    private record Saved(
            Counting.Reading base,
            int settling,
            Tick before,
            Tick pending,
            List<Double> logs,
            long horizon,
            long ticks,
            Tick counts,
            @Nullable Tick rising,
            String trouble) {
        static Saved of(Counting counting) {
            Detector detector = counting.detector();
            return new Saved(
                    counting.base(),
                    counting.settling(),
                    counting.before(),
                    counting.pending(),
                    detector.logs(),
                    detector.horizon(),
                    detector.ticks(),
                    counting.counts(),
                    counting.rising(),
                    counting.trouble());
        }

        Counting counting() {
            Detector detector = Detector.restore(logs, horizon, ticks);
            return new Counting(
                    base, settling, before, pending, detector, counts, rising == null ? Tick.NOTHING : rising, trouble);
        }
    }
}
