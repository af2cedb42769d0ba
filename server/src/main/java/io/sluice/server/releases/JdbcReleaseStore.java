package io.sluice.server.releases;

import io.sluice.core.channel.ChannelStore.Published;
import io.sluice.core.release.JournalEntry;
import io.sluice.core.release.Phase;
import io.sluice.core.release.Release;
import io.sluice.core.release.ReleaseSpec;
import io.sluice.core.release.ReleaseStore;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import io.sluice.server.audit.Journal;
import io.sluice.server.channels.JdbcChannelStore;
import io.sluice.server.leadership.Leadership;
import io.sluice.server.ledger.DiskSync;
import io.sluice.server.ledger.Ledger;
import io.sluice.server.ledger.Room;
import io.sluice.server.ledger.StepRecord;
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
    private final Ledger ledger;
    private final Room room;
    private final JdbcChannelStore channels;
    private final CanarySteps steps;
    private final DiskSync disk;
    private final Leadership leadership;

    // A spec never changes, may have 10,000 customers, and is asked for at every look. Soft: memory comes first.
    private final Map<String, ReleaseSpec> specs = new ConcurrentReferenceHashMap<>();

    JdbcReleaseStore(
            JdbcClient jdbc,
            TransactionTemplate transaction,
            Journal journal,
            Ledger ledger,
            Room room,
            JdbcChannelStore channels,
            StepRecord steps,
            DiskSync disk,
            Leadership leadership) {
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.journal = journal;
        this.ledger = ledger;
        this.room = room;
        this.channels = channels;
        this.steps = new CanarySteps(steps);
        this.disk = disk;
        this.leadership = leadership;
    }

    @Override
    public Optional<Release> find(String id) {
        return jdbc.sql("select * from releases where id = ? and strategy = 'canary'")
                .param(id)
                .query(this::release)
                .optional();
    }

    @Override
    public List<Release> all() {
        return jdbc.sql("select * from releases where strategy = 'canary' order by created")
                .query(this::release)
                .list();
    }

    /**
     * What processes must know now. Whatever changes it raises the revision in the same transaction; so what was read
     * between two looks at one revision is of one moment, on every database.
     */
    public RuleSet ruleSet() {
        while (true) {
            Published published = ledger.published();
            List<ReleaseRule> rules = rules();
            List<Channel> all = channels.channels();
            if (ledger.published().equals(published)) {
                return RuleSet.of(published.epoch(), published.revision(), rules, all);
            }
        }
    }

    private List<ReleaseRule> rules() {
        return jdbc
                .sql("select * from releases where strategy = 'canary' and not retired and phase <> 'draft'"
                        + " order by created")
                .query(this::release)
                .list()
                .stream()
                .flatMap(release -> release.rule().stream())
                .toList();
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
                ledger.oneAtATime();
                insert(release);
                claim(release);
                room.requireFor(release.spec());
                release.rule().ifPresent(rule -> ledger.raiseRevision());
                steps.created(release, entry.at());
                journal.append(entry);
            });
        } catch (DuplicateKeyException taken) {
            throw ledger.alreadyExists(release.id(), release.spec().services(), taken);
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
                ledger.dropClaims(after.id());
            }
            changes.add(new Change(before.get(), after));
        }
        if (changes.stream().anyMatch(Change::tellsProcesses)) {
            ledger.raiseRevision();
        }
        changes.forEach(change -> steps.changed(change, entries));
        for (JournalEntry entry : entries) {
            long seq = journal.append(entry);
            changes.stream().filter(change -> change.isOf(entry)).forEach(change -> steps.judged(change, entry, seq));
        }
        return true;
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
        if (!release.phase().isOver()) {
            ledger.claim(release.id(), release.spec().services());
        }
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
