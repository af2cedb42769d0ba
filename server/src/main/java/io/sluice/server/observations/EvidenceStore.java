package io.sluice.server.observations;

import java.sql.ResultSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Keeps the evidence of each step, so that a restart neither loses it nor begins it anew. Safe for all threads. */
@Repository
class EvidenceStore {
    private final JdbcClient jdbc;

    EvidenceStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** What is kept of a reporter, each written by itself. */
    enum Part {
        WATCH,
        FAILED,
        SLOW,
        CURVES;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Where a piece belongs within its step. */
    record Place(String reporter, Part part) {}

    /** @param value tells whether the piece changed; immutable, as what the text is made of */
    record Piece(Place place, Object value, Supplier<String> text) {}

    /** Everything that was saved of a step. */
    Map<Place, String> load(StepKey key) {
        Map<Place, String> loaded = new HashMap<>();
        jdbc.sql("select reporter, part, content from step_evidence where release_id = ? and step = ?")
                .params(key.release(), key.step())
                .query((ResultSet row) -> {
                    Part part = Part.valueOf(row.getString("part").toUpperCase(Locale.ROOT));
                    loaded.put(new Place(row.getString("reporter"), part), row.getString("content"));
                });
        return loaded;
    }

    /** The curves of a step, in alphabetical order of their reporters. */
    List<EvidenceCurve> loadCurves(StepKey key) {
        return jdbc
                .sql("select reporter, content from step_evidence where release_id = ? and step = ? and part = ?"
                        + " order by reporter")
                .params(key.release(), key.step(), Part.CURVES.label())
                .query((row, number) -> EvidenceText.readCurves(row.getString("reporter"), row.getString("content"))
                        .curves())
                .list()
                .stream()
                .flatMap(List::stream)
                .toList();
    }

    /** Saves pieces, in the transaction of the caller. */
    void save(Map<StepKey, List<Piece>> changed) {
        changed.forEach((key, pieces) -> pieces.forEach(piece -> save(key, piece)));
    }

    /** Drops what only serves to go on, of all steps before one. The curves stay, for the report. */
    void dropBefore(StepKey key) {
        jdbc.sql("delete from step_evidence where release_id = ? and step < ? and part <> ?")
                .params(key.release(), key.step(), Part.CURVES.label())
                .update();
    }

    private void save(StepKey key, Piece piece) {
        String text = piece.text().get();
        Place place = piece.place();
        int updated = jdbc.sql("update step_evidence set content = ?"
                        + " where release_id = ? and step = ? and reporter = ? and part = ?")
                .params(
                        text,
                        key.release(),
                        key.step(),
                        place.reporter(),
                        place.part().label())
                .update();
        if (updated == 0) {
            jdbc.sql("insert into step_evidence (content, release_id, step, reporter, part) values (?, ?, ?, ?, ?)")
                    .params(
                            text,
                            key.release(),
                            key.step(),
                            place.reporter(),
                            place.part().label())
                    .update();
        }
    }
}
