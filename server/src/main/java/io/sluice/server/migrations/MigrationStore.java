package io.sluice.server.migrations;

import io.sluice.migration.evidence.CountedDay;
import io.sluice.migration.evidence.Counts;
import io.sluice.migration.plan.Directive;
import io.sluice.migration.plan.Pace;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.Side;
import io.sluice.wire.migration.ReportedDifference;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Migrations in the database. What writes does so in its caller's transaction. */
@Repository
class MigrationStore {
    private static final String ALSO_NEW = "also-new";
    private static final String HELD_BACK = "held-back";
    private static final int ROWS_AT_ONCE = 500;

    private final JdbcClient jdbc;

    MigrationStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * @param observedSince the first day whose evidence counts
     */
    record Row(Directive directive, LocalDate observedSince) {}

    /** All migrations, the oldest first. */
    List<Row> all() {
        return jdbc.sql("select * from migrations order by created, name")
                .query(this::row)
                .list();
    }

    Optional<Row> find(String name) {
        return jdbc.sql("select * from migrations where name = ?")
                .param(name)
                .query(this::row)
                .optional();
    }

    /** The same, held against every other change until the transaction is over. */
    Optional<Row> lock(String name) {
        return jdbc.sql("select * from migrations where name = ? for update")
                .param(name)
                .query(this::row)
                .optional();
    }

    /** The same of a migration's evidence alone: the first day that counts. */
    Optional<LocalDate> hold(String name) {
        return jdbc.sql("select observed_since from migrations where name = ? for update")
                .param(name)
                .query(LocalDate.class)
                .optional();
    }

    /** The version of what is wanted, without its lists. */
    Optional<Long> version(String name) {
        return jdbc.sql("select version from migrations where name = ?")
                .param(name)
                .query(Long.class)
                .optional();
    }

    /** @throws DuplicateKeyException when the name is taken */
    void insert(Directive directive, LocalDate observedSince, Instant now) {
        Plan plan = directive.plan();
        jdbc.sql("insert into migrations (name, version, revision, new_percent, keys_per_second, paused,"
                        + " observed_since, created) values (?, ?, ?, ?, ?, ?, ?, ?)")
                .params(
                        plan.migration(),
                        directive.version(),
                        plan.revision(),
                        plan.newPercent(),
                        directive.pace().keysPerSecond(),
                        directive.pace().isPaused(),
                        observedSince,
                        utc(now))
                .update();
        insertList(plan.migration(), ALSO_NEW, plan.alsoNew());
        insertList(plan.migration(), HELD_BACK, plan.heldBack());
    }

    /** @param before the plan that is in the database */
    void update(Plan before, Directive directive) {
        Plan plan = directive.plan();
        jdbc.sql("update migrations set version = ?, revision = ?, new_percent = ?, keys_per_second = ?, paused = ?"
                        + " where name = ?")
                .params(
                        directive.version(),
                        plan.revision(),
                        plan.newPercent(),
                        directive.pace().keysPerSecond(),
                        directive.pace().isPaused(),
                        plan.migration())
                .update();
        replaceList(plan.migration(), ALSO_NEW, before.alsoNew(), plan.alsoNew());
        replaceList(plan.migration(), HELD_BACK, before.heldBack(), plan.heldBack());
    }

    void observeSince(String name, LocalDate day) {
        jdbc.sql("update migrations set observed_since = ? where name = ?")
                .params(day, name)
                .update();
    }

    /** How many runs of processes have told of a day. */
    int reporters(String name, LocalDate day) {
        return jdbc.sql("select count(*) from migration_evidence where migration = ? and seen_on = ?")
                .params(name, day)
                .query(Integer.class)
                .single();
    }

    /** Whether a run of a process has told of a day before. */
    boolean hasTold(String name, LocalDate day, String reporter) {
        return jdbc.sql("select count(*) from migration_evidence where migration = ? and seen_on = ? and reporter = ?")
                        .params(name, day, reporter)
                        .query(Integer.class)
                        .single()
                > 0;
    }

    /**
     * Saves what a run of a process has counted so far on a day. A report that was overtaken by a later one of the same
     * process changes nothing.
     */
    void save(String name, String reporter, CountedDay day) {
        List<Object> said = columns(day);
        int updated = jdbc.sql(
                        "update migration_evidence set watched_from = ?, watched_until = ?, longest_gap_millis = ?,"
                                + " new_successes = ?, legacy_successes = ?, fallbacks = ?, shadow_checks = ?, shadow_diffs = ?,"
                                + " not_compared = ?, unknown_outcomes = ?, behind = ?"
                                + " where migration = ? and seen_on = ? and reporter = ? and watched_until <= ?")
                .params(said)
                .params(name, day.date(), reporter, utc(day.until()))
                .update();
        if (updated == 0 && !hasTold(name, day.date(), reporter)) {
            jdbc.sql("insert into migration_evidence (watched_from, watched_until, longest_gap_millis,"
                            + " new_successes, legacy_successes, fallbacks, shadow_checks, shadow_diffs,"
                            + " not_compared, unknown_outcomes, behind, migration, seen_on, reporter)"
                            + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                    .params(said)
                    .params(name, day.date(), reporter)
                    .update();
        }
    }

    /** What all runs have counted from a day on, by date. */
    List<CountedDay> evidence(String name, LocalDate since) {
        return jdbc.sql(
                        "select * from migration_evidence where migration = ? and seen_on >= ? order by seen_on, reporter")
                .params(name, since)
                .query(MigrationStore::counted)
                .list();
    }

    /** Saves a difference that is not known yet. */
    void save(String name, ReportedDifference difference) {
        String id = kept(difference.id());
        int known = jdbc.sql("select count(*) from migration_difference where migration = ? and id = ?")
                .params(name, id)
                .query(Integer.class)
                .single();
        if (known == 0) {
            jdbc.sql("insert into migration_difference (migration, id, key_name, read_name, version, authority,"
                            + " authority_value, other_value, seen_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?)")
                    .params(
                            name,
                            id,
                            difference.key(),
                            kept(difference.read()),
                            difference.version(),
                            difference.authority().label(),
                            kept(difference.authorityValue()),
                            kept(difference.otherValue()),
                            utc(difference.at()))
                    .update();
        }
    }

    /** Drops all differences but the newest. */
    void keepNewest(String name, int most) {
        List<String> others = jdbc.sql(
                        "select id from migration_difference where migration = ? order by seen_at desc, id offset ?")
                .params(name, most)
                .query(String.class)
                .list();
        others.forEach(id -> jdbc.sql("delete from migration_difference where migration = ? and id = ?")
                .params(name, id)
                .update());
    }

    /** The newest differences, the newest first. */
    List<ReportedDifference> differences(String name, int most) {
        return jdbc.sql("select * from migration_difference where migration = ? order by seen_at desc, id limit ?")
                .params(name, most)
                .query(MigrationStore::difference)
                .list();
    }

    /** A list may be long, so it is left alone when it stays. */
    private void replaceList(String name, String list, Set<String> before, Set<String> keys) {
        if (!before.equals(keys)) {
            jdbc.sql("delete from migration_list where migration = ? and list = ?")
                    .params(name, list)
                    .update();
            insertList(name, list, keys);
        }
    }

    private void insertList(String name, String list, Set<String> keys) {
        List<String> all = List.copyOf(keys);
        for (int from = 0; from < all.size(); from += ROWS_AT_ONCE) {
            List<String> rows = all.subList(from, Math.min(from + ROWS_AT_ONCE, all.size()));
            jdbc.sql("insert into migration_list (migration, list, key_name) values (?, ?, ?)"
                            + ", (?, ?, ?)".repeat(rows.size() - 1))
                    .params(rows.stream()
                            .flatMap(key -> Stream.of(name, list, key))
                            .toList())
                    .update();
        }
    }

    private Row row(ResultSet row, int number) throws SQLException {
        String name = row.getString("name");
        Plan plan = new Plan(
                name, row.getLong("revision"), row.getInt("new_percent"), list(name, ALSO_NEW), list(name, HELD_BACK));
        Pace pace = new Pace(row.getInt("keys_per_second"), row.getBoolean("paused"));
        return new Row(
                new Directive(row.getLong("version"), plan, pace), row.getObject("observed_since", LocalDate.class));
    }

    private Set<String> list(String name, String list) {
        return new HashSet<>(jdbc.sql("select key_name from migration_list where migration = ? and list = ?")
                .params(name, list)
                .query(String.class)
                .list());
    }

    /** What {@link #counted} reads, but for who said it of which day. */
    private static List<Object> columns(CountedDay day) {
        Counts counts = day.counts();
        return List.of(
                utc(day.from()),
                utc(day.until()),
                day.longestGap().toMillis(),
                counts.newSuccesses(),
                counts.legacySuccesses(),
                counts.fallbacks(),
                counts.shadowChecks(),
                counts.shadowDiffs(),
                counts.notCompared(),
                counts.unknown(),
                counts.behind());
    }

    private static CountedDay counted(ResultSet row, int number) throws SQLException {
        return new CountedDay(
                row.getObject("seen_on", LocalDate.class),
                row.getObject("watched_from", OffsetDateTime.class).toInstant(),
                row.getObject("watched_until", OffsetDateTime.class).toInstant(),
                Duration.ofMillis(row.getLong("longest_gap_millis")),
                new Counts(
                        row.getLong("new_successes"),
                        row.getLong("legacy_successes"),
                        row.getLong("fallbacks"),
                        row.getLong("shadow_checks"),
                        row.getLong("shadow_diffs"),
                        row.getLong("not_compared"),
                        row.getLong("unknown_outcomes"),
                        row.getLong("behind")));
    }

    private static ReportedDifference difference(ResultSet row, int number) throws SQLException {
        return new ReportedDifference(
                row.getString("id"),
                row.getString("key_name"),
                row.getString("read_name"),
                row.getLong("version"),
                Side.parse(row.getString("authority")),
                row.getString("authority_value"),
                row.getString("other_value"),
                row.getObject("seen_at", OffsetDateTime.class).toInstant());
    }

    /** PostgreSQL has no zero in its texts, and no half characters. */
    private static String kept(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).replace('\0', '\ufffd');
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
