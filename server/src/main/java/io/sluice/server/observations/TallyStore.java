package io.sluice.server.observations;

import io.sluice.core.decision.Lane;
import io.sluice.core.observation.Tally;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Keeps the totals of each step, so that neither evidence nor report is lost with the process. */
@Repository
class TallyStore {
    private final JdbcClient jdbc;

    TallyStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Map<String, Tallies> load(StepKey key) {
        Map<String, Tallies> loaded = new HashMap<>();
        jdbc.sql("select * from step_tally where release_id = ? and step = ?")
                .params(key.release(), key.step())
                .query((ResultSet row) -> {
                    Lane lane = Lane.valueOf(row.getString("lane").toUpperCase(Locale.ROOT));
                    String service = row.getString("service");
                    Tallies known = loaded.getOrDefault(service, Tallies.NOTHING);
                    loaded.put(service, known.plus(lane, tally(row)));
                });
        return loaded;
    }

    /** Saves totals, in the transaction of the caller. */
    void save(Map<StepKey, Map<String, Tallies>> totals) {
        totals.forEach((key, services) -> services.forEach((service, tallies) -> {
            for (Lane lane : Lane.values()) {
                save(key, service, lane, tallies.of(lane));
            }
        }));
    }

    private void save(StepKey key, String service, Lane lane, Tally tally) {
        if (tally.count() == 0) {
            return;
        }
        int updated = jdbc.sql("update step_tally set requests = ?, failed = ?, slow = ?, latencies = ?"
                        + " where release_id = ? and step = ? and service = ? and lane = ?")
                .params(tally.count(), tally.failed(), tally.slow(), text(tally.latencies()))
                .params(key.release(), key.step(), service, lane.label())
                .update();
        if (updated == 0) {
            jdbc.sql("insert into step_tally (requests, failed, slow, latencies, release_id, step, service, lane)"
                            + " values (?, ?, ?, ?, ?, ?, ?, ?)")
                    .params(tally.count(), tally.failed(), tally.slow(), text(tally.latencies()))
                    .params(key.release(), key.step(), service, lane.label())
                    .update();
        }
    }

    private static Tally tally(ResultSet row) throws SQLException {
        return new Tally(
                row.getLong("requests"),
                row.getLong("failed"),
                row.getLong("slow"),
                latencies(row.getString("latencies")));
    }

    /** Latencies as bucket:count pairs. */
    static String text(SortedMap<Integer, Long> latencies) {
        return latencies.entrySet().stream()
                .map(entry -> entry.getKey() + ":" + entry.getValue())
                .collect(Collectors.joining(","));
    }

    /** Reads what {@link #text} has written. */
    static SortedMap<Integer, Long> latencies(String text) {
        SortedMap<Integer, Long> latencies = new TreeMap<>();
        if (text.isEmpty()) {
            return latencies;
        }
        for (String pair : text.split(",", -1)) {
            int colon = pair.indexOf(':');
            latencies.put(Integer.valueOf(pair.substring(0, colon)), Long.valueOf(pair.substring(colon + 1)));
        }
        return latencies;
    }
}
