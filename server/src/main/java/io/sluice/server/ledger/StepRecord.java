package io.sluice.server.ledger;

import io.sluice.core.decision.Percent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Which weights a release has had, from when to when. Written in the transaction of the change itself. */
@Repository
public class StepRecord {
    private final JdbcClient jdbc;
    private final InstantSource clock;

    public StepRecord(JdbcClient jdbc, InstantSource clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /**
     * One weight.
     *
     * @param percent the share of what is released: of canary, or of the side that is admitted
     * @param leftAt null while the release stands there
     * @param watched how long it was watched there in all, to the last look; hold time that was forgiven among it
     * @param verdictEntry the journal entry with its last verdict; null when none was written down
     */
    public record Line(
            long step,
            Percent percent,
            Instant enteredAt,
            @Nullable Instant leftAt,
            Duration watched,
            @Nullable Long verdictEntry) {}

    public List<Line> of(String release) {
        return jdbc.sql("select * from release_step where release_id = ? order by step")
                .param(release)
                .query(StepRecord::line)
                .list();
    }

    public void enter(String release, long step, Percent percent) {
        enter(release, step, percent, clock.instant());
    }

    public void enter(String release, long step, Percent percent, Instant at) {
        jdbc.sql("insert into release_step (release_id, step, basis_points, entered_at, watched_nanos)"
                        + " values (?, ?, ?, ?, 0)")
                .params(release, step, percent.basisPoints(), at.atOffset(ZoneOffset.UTC))
                .update();
    }

    /** @param lastLook what was watched there beyond what {@link #watched} told */
    public void leave(String release, long step, Duration lastLook) {
        jdbc.sql("update release_step set left_at = ?, watched_nanos = watched_nanos + ?"
                        + " where release_id = ? and step = ? and left_at is null")
                .params(clock.instant().atOffset(ZoneOffset.UTC), lastLook.toNanos(), release, step)
                .update();
    }

    /** Adds, since whoever resumes a release that was on hold too long takes held time back. */
    public void watched(String release, long step, Duration more) {
        jdbc.sql("update release_step set watched_nanos = watched_nanos + ? where release_id = ? and step = ?")
                .params(more.toNanos(), release, step)
                .update();
    }

    /** @param seq the place of the journal entry with the newest verdict on a weight */
    public void judged(String release, long step, long seq) {
        jdbc.sql("update release_step set verdict_entry = ? where release_id = ? and step = ?")
                .params(seq, release, step)
                .update();
    }

    private static Line line(ResultSet row, int number) throws SQLException {
        OffsetDateTime leftAt = row.getObject("left_at", OffsetDateTime.class);
        return new Line(
                row.getLong("step"),
                new Percent(row.getInt("basis_points")),
                row.getObject("entered_at", OffsetDateTime.class).toInstant(),
                leftAt == null ? null : leftAt.toInstant(),
                Duration.ofNanos(row.getLong("watched_nanos")),
                row.getObject("verdict_entry", Long.class));
    }
}
