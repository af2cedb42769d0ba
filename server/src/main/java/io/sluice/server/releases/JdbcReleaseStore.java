package io.sluice.server.releases;

import io.sluice.core.release.JournalEntry;
import io.sluice.core.release.Phase;
import io.sluice.core.release.Release;
import io.sluice.core.release.ReleaseSpec;
import io.sluice.core.release.ReleaseStore;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import io.sluice.server.audit.Journal;
import io.sluice.server.leadership.Leadership;
import io.sluice.wire.ReleaseSpecJson;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ConcurrentReferenceHashMap;

/**
 * Releases in the database. One transaction saves a change with everything that follows from it: the journal entry, the
 * claims on services, the step's record, and a higher revision of the rule set when processes must know something new.
 */
@Repository
public class JdbcReleaseStore implements ReleaseStore {
    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final Journal journal;
    private final StepRecord steps;
    private final DiskSync disk;
    private final Leadership leadership;

    // A spec never changes, may have 10,000 customers, and is asked for at every look. Soft: memory comes first.
    private final Map<String, ReleaseSpec> specs = new ConcurrentReferenceHashMap<>();

    JdbcReleaseStore(
            JdbcClient jdbc,
            TransactionTemplate transaction,
            Journal journal,
            StepRecord steps,
            DiskSync disk,
            Leadership leadership) {
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.journal = journal;
        this.steps = steps;
        this.disk = disk;
        this.leadership = leadership;
    }

    @Override
    public Optional<Release> find(String id) {
        return jdbc.sql("select * from releases where id = ?")
                .param(id)
                .query(this::release)
                .optional();
    }

    @Override
    public List<Release> all() {
        return jdbc.sql("select * from releases order by created")
                .query(this::release)
                .list();
    }

    /** What processes must know now. One statement reads it, so revision and content are of one moment. */
    public RuleSet ruleSet() {
        List<ReleaseRule> rules = new ArrayList<>();
        List<RuleSet> empty = jdbc.sql("select s.epoch, s.revision as rules_revision, r.* from rule_state s"
                        + " left join releases r on not r.retired and r.phase <> 'draft' order by r.created")
                .query((row, number) -> {
                    if (row.getString("id") != null) {
                        release(row, number).rule().ifPresent(rules::add);
                    }
                    return RuleSet.of(row.getLong("epoch"), row.getLong("rules_revision"), List.of());
                })
                .list();
        return RuleSet.of(empty.get(0).epoch(), empty.get(0).revision(), rules);
    }

    /** Whether a rule set is still the one that {@link #ruleSet()} would read. */
    public boolean isCurrent(RuleSet known) {
        return jdbc.sql("select count(*) from rule_state where epoch = ? and revision = ?")
                        .params(known.epoch(), known.revision())
                        .query(Integer.class)
                        .single()
                > 0;
    }

    /** @throws io.sluice.core.problem.RefusedException when the rules of all releases would become too many bytes */
    @Override
    public void create(Release release, JournalEntry entry) {
        try {
            transaction.executeWithoutResult(status -> {
                oneAtATime();
                insert(release);
                claim(release);
                requireRoom(release);
                release.rule().ifPresent(rule -> raiseRevision());
                steps.created(release, entry.at());
                journal.append(entry);
            });
        } catch (DuplicateKeyException taken) {
            throw alreadyExists(release.spec(), taken);
        }
    }

    @Override
    public boolean save(List<Release> next, List<JournalEntry> entries) {
        // In one order for everybody, so that two savers wait for each other in a line, not in a circle.
        List<Release> ordered =
                next.stream().sorted(Comparator.comparing(Release::id)).toList();
        boolean saved = Boolean.TRUE.equals(transaction.execute(status -> {
            leadership.requireStill();
            if (write(ordered, entries)) {
                return true;
            }
            status.setRollbackOnly();
            return false;
        }));
        if (saved && next.stream().anyMatch(release -> release.phase() instanceof Phase.Aborted)) {
            disk.sync();
        }
        return saved;
    }

    private boolean write(List<Release> next, List<JournalEntry> entries) {
        List<Change> changes = new ArrayList<>();
        for (Release after : next) {
            Optional<Release> before = find(after.id());
            if (before.isEmpty() || before.get().revision() != after.revision() - 1 || !update(after)) {
                return false;
            }
            if (after.phase().isOver()) {
                releaseClaims(after);
            }
            changes.add(new Change(before.get(), after));
        }
        if (changes.stream().anyMatch(Change::tellsProcesses)) {
            raiseRevision();
        }
        changes.forEach(change -> steps.changed(change, entries));
        for (JournalEntry entry : entries) {
            long seq = journal.append(entry);
            changes.stream().filter(change -> change.isOf(entry)).forEach(change -> steps.judged(change, entry, seq));
        }
        return true;
    }

    private AlreadyExistsException alreadyExists(ReleaseSpec spec, DuplicateKeyException taken) {
        if (find(spec.id()).isPresent()) {
            return AlreadyExistsException.id(spec.id());
        }
        for (String service : spec.services()) {
            Optional<String> other = jdbc.sql("select release_id from release_service where service = ?")
                    .param(service)
                    .query(String.class)
                    .optional();
            if (other.isPresent()) {
                return AlreadyExistsException.service(service, other.get());
            }
        }
        // The other one ended between our insert and this look.
        throw taken;
    }

    private void insert(Release release) {
        jdbc.sql("insert into releases (id, spec, phase, stage, held_nanos, why, step, retired, revision,"
                        + " step_backs) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .param(release.id())
                .param(new String(ReleaseSpecJson.write(release.spec()), StandardCharsets.UTF_8))
                .params(PhaseColumns.of(release.phase()).values())
                .params(release.step(), release.retired(), release.revision(), release.stepBacks())
                .update();
    }

    private boolean update(Release release) {
        return jdbc.sql("update releases set phase = ?, stage = ?, held_nanos = ?, why = ?, step = ?, retired = ?,"
                                + " revision = ?, step_backs = ? where id = ? and revision = ?")
                        .params(PhaseColumns.of(release.phase()).values())
                        .params(release.step(), release.retired(), release.revision(), release.stepBacks())
                        .params(release.id(), release.revision() - 1)
                        .update()
                == 1;
    }

    private void claim(Release release) {
        if (release.phase().isOver()) {
            return;
        }
        for (String service : release.spec().services()) {
            jdbc.sql("insert into release_service (service, release_id) values (?, ?)")
                    .params(service, release.id())
                    .update();
        }
    }

    private void releaseClaims(Release over) {
        jdbc.sql("delete from release_service where release_id = ?")
                .param(over.id())
                .update();
    }

    /** Whoever creates holds the one row until the end, so that two cannot both take the last room. */
    private void oneAtATime() {
        jdbc.sql("update rule_state set revision = revision").update();
    }

    private void requireRoom(Release created) {
        List<Release> others = all().stream()
                .filter(release -> !release.id().equals(created.id()))
                .toList();
        Room.require(others, created.spec());
    }

    private void raiseRevision() {
        jdbc.sql("update rule_state set revision = revision + 1").update();
    }

    private Release release(ResultSet row, int number) throws SQLException {
        String id = row.getString("id");
        ReleaseSpec known = specs.get(id);
        ReleaseSpec spec = known == null
                ? ReleaseSpecJson.readStrict(row.getString("spec").getBytes(StandardCharsets.UTF_8))
                : known;
        specs.put(id, spec);
        return new Release(
                spec,
                PhaseColumns.from(row).toPhase(),
                row.getLong("step"),
                row.getBoolean("retired"),
                row.getLong("revision"),
                row.getInt("step_backs"));
    }

    /** A release from one saved state to the next. */
    record Change(Release before, Release after) {
        boolean tellsProcesses() {
            return !before.rule().equals(after.rule());
        }

        boolean isOf(JournalEntry entry) {
            return after.id().equals(entry.release());
        }
    }
}
