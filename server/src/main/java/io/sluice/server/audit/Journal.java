package io.sluice.server.audit;

import io.sluice.core.guard.Health;
import io.sluice.core.guard.Verdict;
import io.sluice.core.release.JournalEntry;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The journal as it is kept. Safe for all threads. */
@Repository
public class Journal {
    /** Stands in the place of the release where an entry is about none; it is no release's id. */
    public static final String SERVER = "(server)";

    private final JdbcClient jdbc;

    public Journal(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * An entry with its place.
     *
     * @param seq counts all entries from 1, without gaps
     * @param hash SHA-256 over the entry and the hash before it, in hex
     */
    public record Line(long seq, JournalEntry entry, String hash) {}

    /**
     * Adds an entry, in the transaction of the change that it tells of.
     *
     * @return its place
     */
    public long append(JournalEntry entry) {
        JournalEntry kept = asKept(entry);
        Head head = lockedHead();
        long seq = head.seq + 1;
        String hash = EntryHash.of(head.hash, seq, kept);
        insert(seq, kept, hash);
        jdbc.sql("update journal_head set seq = ?, hash = ?").params(seq, hash).update();
        return seq;
    }

    /** All entries of one release, the oldest first. */
    public List<Line> of(String release) {
        return jdbc.sql("select * from journal where release_id = ? order by seq")
                .param(release)
                .query(Journal::line)
                .list();
    }

    /** The newest entries of all releases, the newest first. */
    List<Line> newest(int limit) {
        return jdbc.sql("select * from journal order by seq desc limit ?")
                .param(limit)
                .query(Journal::line)
                .list();
    }

    /** The newest entries of one release, the newest first. */
    List<Line> newest(String release, int limit) {
        return jdbc.sql("select * from journal where release_id = ? order by seq desc limit ?")
                .params(release, limit)
                .query(Journal::line)
                .list();
    }

    /** The newest verdict that was written down for a release. */
    public Optional<Verdict> lastVerdict(String release) {
        return jdbc.sql("select * from journal where release_id = ? and verdict_health is not null"
                        + " order by seq desc limit 1")
                .param(release)
                .query(Journal::line)
                .optional()
                .map(line -> line.entry().verdict());
    }

    /** The first place where the journal is not what was written; empty when it is whole. */
    Optional<Long> firstBroken() {
        Head head = jdbc.sql("select seq, hash from journal_head")
                .query(Journal::head)
                .single();
        Head end = new Head(0, EntryHash.FIRST);
        for (Line line : jdbc.sql("select * from journal where seq <= ? order by seq")
                .param(head.seq)
                .query(Journal::line)
                .list()) {
            String expected = EntryHash.of(end.hash, end.seq + 1, line.entry());
            if (line.seq() != end.seq + 1 || !line.hash().equals(expected)) {
                return Optional.of(end.seq + 1);
            }
            end = new Head(line.seq(), line.hash());
        }
        return head.equals(end) ? Optional.empty() : Optional.of(end.seq + 1);
    }

    /** Locks the end of the chain until the transaction is over. */
    private Head lockedHead() {
        return jdbc.sql("select seq, hash from journal_head for update")
                .query(Journal::head)
                .single();
    }

    private void insert(long seq, JournalEntry entry, String hash) {
        Verdict verdict = entry.verdict();
        jdbc.sql("insert into journal (seq, at, release_id, actor, action, why, outcome, verdict_health,"
                        + " verdict_reason, verdict_service, verdict_samples, verdict_failures, verdict_p99_nanos, hash)"
                        + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .params(
                        seq,
                        entry.at().atOffset(ZoneOffset.UTC),
                        entry.release(),
                        entry.actor(),
                        entry.action(),
                        entry.why(),
                        entry.outcome())
                .param(verdict == null ? null : verdict.health().name())
                .param(verdict == null ? null : verdict.reason())
                .param(verdict == null ? null : verdict.service())
                .param(verdict == null ? null : verdict.samples())
                .param(verdict == null ? null : verdict.failures())
                .param(verdict == null ? null : verdict.p99().toNanos())
                .param(hash)
                .update();
    }

    /** Databases keep microseconds, and the hash must be over what they keep. */
    private static JournalEntry asKept(JournalEntry entry) {
        Instant at = entry.at().truncatedTo(ChronoUnit.MICROS);
        return new JournalEntry(
                at, entry.release(), entry.actor(), entry.action(), entry.why(), entry.outcome(), entry.verdict());
    }

    private static Line line(ResultSet row, int number) throws SQLException {
        JournalEntry entry = new JournalEntry(
                row.getObject("at", OffsetDateTime.class).toInstant(),
                row.getString("release_id"),
                row.getString("actor"),
                row.getString("action"),
                row.getString("why"),
                row.getString("outcome"),
                verdict(row));
        return new Line(row.getLong("seq"), entry, row.getString("hash"));
    }

    private static @Nullable Verdict verdict(ResultSet row) throws SQLException {
        String health = row.getString("verdict_health");
        return health == null
                ? null
                : new Verdict(
                        Health.valueOf(health),
                        row.getString("verdict_reason"),
                        row.getString("verdict_service"),
                        row.getLong("verdict_samples"),
                        row.getLong("verdict_failures"),
                        Duration.ofNanos(row.getLong("verdict_p99_nanos")));
    }

    private static Head head(ResultSet row, int number) throws SQLException {
        return new Head(row.getLong("seq"), row.getString("hash"));
    }

    private record Head(long seq, String hash) {}
}
