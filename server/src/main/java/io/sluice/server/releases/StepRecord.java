package io.sluice.server.releases;

import io.sluice.core.decision.Percent;
import io.sluice.core.release.JournalEntry;
import io.sluice.core.release.Phase;
import io.sluice.core.release.Release;
import io.sluice.server.releases.JdbcReleaseStore.Change;
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
class StepRecord {
    private final JdbcClient jdbc;
    private final InstantSource clock;

    StepRecord(JdbcClient jdbc, InstantSource clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /**
     * One weight.
     *
     * @param leftAt null while the release stands there
     * @param watched how long it was watched there in all, to the last look; hold time that was forgiven among it
     * @param verdictEntry the journal entry with its last verdict; null when none was written down
     */
    record Line(
            long step,
            Percent percent,
            Instant enteredAt,
            @Nullable Instant leftAt,
            Duration watched,
            @Nullable Long verdictEntry) {}

    List<Line> of(String release) {
        return jdbc.sql("select * from release_step where release_id = ? order by step")
                .param(release)
                .query(StepRecord::line)
                .list();
    }

    void created(Release release, Instant at) {
        if (release.phase().isLive()) {
            enter(release, at);
        }
    }

    void changed(Change change, List<JournalEntry> entries) {
        Release before = change.before();
        Release after = change.after();
        boolean leaves = before.step() != after.step()
                || after.phase().isOver() && !before.phase().isOver();
        if (leaves) {
            Instant now = clock.instant();
            leave(before, lastLook(change, entries), now);
            if (before.step() != after.step() && after.phase().isLive()) {
                enter(after, now);
            }
        } else if (held(after).compareTo(held(before)) > 0) {
            // Added, since whoever resumes a release that was on hold too long takes held time back.
            jdbc.sql("update release_step set watched_nanos = watched_nanos + ? where release_id = ? and step = ?")
                    .params(held(after).minus(held(before)).toNanos(), after.id(), after.step())
                    .update();
        }
    }

    /** A verdict is about what came before the change that followed from it. */
    void judged(Change change, JournalEntry entry, long seq) {
        if (entry.verdict() != null) {
            jdbc.sql("update release_step set verdict_entry = ? where release_id = ? and step = ?")
                    .params(seq, change.before().id(), change.before().step())
                    .update();
        }
    }

    /** The last look's share is in no saved state; who went on by itself was watched for the hold time at least. */
    private static Duration lastLook(Change change, List<JournalEntry> entries) {
        Release before = change.before();
        boolean byItself = entries.stream()
                .anyMatch(entry -> change.isOf(entry) && entry.actor().equals(JournalEntry.ORCHESTRATOR));
        if (byItself && before.phase() instanceof Phase.Ramping ramping) {
            Duration hold = before.spec().plan().stages().get(ramping.stage()).hold();
            return ramping.held().compareTo(hold) < 0 ? hold.minus(ramping.held()) : Duration.ZERO;
        }
        return Duration.ZERO;
    }

    private static Duration held(Release release) {
        if (release.phase() instanceof Phase.Ramping ramping) {
            return ramping.held();
        }
        return release.phase() instanceof Phase.Paused paused ? paused.held() : Duration.ZERO;
    }

    private void enter(Release release, Instant at) {
        Percent percent = release.phase().percent(release.spec().plan());
        jdbc.sql("insert into release_step (release_id, step, basis_points, entered_at, watched_nanos)"
                        + " values (?, ?, ?, ?, 0)")
                .params(release.id(), release.step(), percent.basisPoints(), at.atOffset(ZoneOffset.UTC))
                .update();
    }

    private void leave(Release release, Duration lastLook, Instant at) {
        jdbc.sql("update release_step set left_at = ?, watched_nanos = watched_nanos + ?"
                        + " where release_id = ? and step = ? and left_at is null")
                .params(at.atOffset(ZoneOffset.UTC), lastLook.toNanos(), release.id(), release.step())
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
