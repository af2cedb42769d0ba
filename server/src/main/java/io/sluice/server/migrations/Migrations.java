package io.sluice.server.migrations;

import io.sluice.core.release.JournalEntry;
import io.sluice.migration.evidence.CountedDay;
import io.sluice.migration.evidence.Evidence;
import io.sluice.migration.evidence.ExitCriteria;
import io.sluice.migration.evidence.Readiness;
import io.sluice.migration.plan.Directive;
import io.sluice.migration.plan.Plan;
import io.sluice.server.audit.Journal;
import io.sluice.server.migrations.MigrationStore.Row;
import io.sluice.wire.migration.EvidenceReport;
import io.sluice.wire.migration.MigrationChange;
import io.sluice.wire.migration.ReportedDifference;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;

/** What operators and processes do with migrations. Safe for all threads. */
@Service
class Migrations {
    /** Processes report every two seconds; a longer silence than this was nobody's watch. */
    static final Duration LONGEST_GAP = Duration.ofMinutes(5);

    private static final int MOST_DIFFERENCES = 1_000;
    private static final int MOST_REPORTERS_A_DAY = 1_000;
    private static final int MOST_MIGRATIONS = 100;

    private final MigrationStore store;
    private final LastSaved lastSaved;
    private final Movers movers;
    private final Journal journal;
    private final TransactionTemplate transaction;
    private final InstantSource clock;

    Migrations(
            MigrationStore store,
            LastSaved lastSaved,
            Movers movers,
            Journal journal,
            TransactionTemplate transaction,
            InstantSource clock) {
        this.store = store;
        this.lastSaved = lastSaved;
        this.movers = movers;
        this.journal = journal;
        this.transaction = transaction;
        this.clock = clock;
    }

    List<MigrationView> all() {
        return store.all().stream().map(this::view).toList();
    }

    MigrationView find(String name) {
        return view(row(name));
    }

    /** @throws MigrationRefusedException when the name is taken, or there are too many */
    MigrationView create(String name, String actor, String why) {
        Directive start = Directive.start(name);
        try {
            transaction.executeWithoutResult(status -> {
                if (store.all().size() >= MOST_MIGRATIONS) {
                    throw new MigrationRefusedException("there are " + MOST_MIGRATIONS + " migrations already");
                }
                store.insert(start, today(), clock.instant());
                note(actor, "migration", name + ": " + why, "everything at legacy");
            });
        } catch (DuplicateKeyException taken) {
            throw new MigrationRefusedException("migration " + name + " exists already");
        }
        return find(name);
    }

    /**
     * Changes what is wanted.
     *
     * @throws MigrationRefusedException when somebody else has changed it since the operator looked
     */
    MigrationView change(String name, MigrationChange change, String actor) {
        transaction.executeWithoutResult(status -> {
            Row before = lock(name);
            long version = before.directive().version();
            if (change.version().orElse(version) != version) {
                throw new MigrationRefusedException("migration " + name + " is at version " + version
                        + " by now, not at " + change.version().getAsLong() + ": look at it again first");
            }
            Directive after = change.applyTo(before.directive(), takenVersion(name), takenRevision(name));
            store.update(before.directive().plan(), after);
            note(actor, "migrate", name + ": " + change.why(), sentence(before.directive(), after));
        });
        return find(name);
    }

    /** Begins to observe anew: evidence of days before today counts no more. */
    MigrationView observe(String name, String actor, String why) {
        transaction.executeWithoutResult(status -> {
            lock(name);
            store.observeSince(name, today());
            note(actor, "observe", name + ": " + why, "evidence counts from " + today());
        });
        return find(name);
    }

    /**
     * Takes a report; what it counts is on the disk when this returns, and until when the process watched but for
     * {@link LastSaved#UNSAVED_WATCH}. Of a process that does nothing, most reports write nothing.
     *
     * @return what is wanted now; empty when the process has that already
     * @throws MigrationRefusedException for a day that is not yet, or of more runs of processes than a day may have; nothing
     *     of the report is kept then
     */
    Optional<Directive> take(String name, EvidenceReport report) {
        long version = store.version(name).orElseThrow(() -> new UnknownMigrationException(name));
        List<CountedDay> news = report.days().stream()
                .filter(day -> lastSaved.isNews(name, report.reporter(), day))
                .toList();
        if (!news.isEmpty() || !report.differences().isEmpty()) {
            transaction.executeWithoutResult(status -> save(name, report, news));
            news.forEach(day -> lastSaved.saved(name, report.reporter(), day));
        }
        movers.heard(name, report);
        return report.directiveVersion() == version
                ? Optional.empty()
                : Optional.of(row(name).directive());
    }

    Evidence evidence(String name) {
        return Evidence.of(store.evidence(name, row(name).observedSince()), LONGEST_GAP, today());
    }

    Readiness readiness(String name, ExitCriteria criteria) {
        return evidence(name).readiness(criteria, today());
    }

    List<ReportedDifference> differences(String name, int most) {
        row(name);
        return store.differences(name, Math.min(most, MOST_DIFFERENCES));
    }

    LocalDate today() {
        return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    }

    private void save(String name, EvidenceReport report, List<CountedDay> news) {
        // Reports of one migration one after the other, so that two don't both begin the same row.
        LocalDate since = store.hold(name).orElseThrow(() -> new UnknownMigrationException(name));
        // What came before counts no more, and dates without end would fill the disk.
        news.stream().filter(day -> !day.date().isBefore(since)).forEach(day -> save(name, report.reporter(), day));
        report.differences().forEach(difference -> store.save(name, difference));
        if (!report.differences().isEmpty()) {
            store.keepNewest(name, MOST_DIFFERENCES);
        }
    }

    private void save(String name, String reporter, CountedDay day) {
        if (day.date().isAfter(today().plusDays(1))) {
            throw new MigrationRefusedException(
                    day.date() + " is not yet, here it is " + today() + ": look at the clock of " + reporter);
        }
        if (!store.hasTold(name, day.date(), reporter) && store.reporters(name, day.date()) >= MOST_REPORTERS_A_DAY) {
            throw new MigrationRefusedException(
                    MOST_REPORTERS_A_DAY + " runs of processes have told of " + day.date() + " already");
        }
        store.save(name, reporter, day);
    }

    private Row row(String name) {
        return store.find(name).orElseThrow(() -> new UnknownMigrationException(name));
    }

    private Row lock(String name) {
        return store.lock(name).orElseThrow(() -> new UnknownMigrationException(name));
    }

    private long takenVersion(String name) {
        return movers.of(name).stream()
                .mapToLong(Movers.Process::directiveVersion)
                .max()
                .orElse(0);
    }

    private long takenRevision(String name) {
        return movers.of(name).stream()
                .mapToLong(Movers.Process::planRevision)
                .max()
                .orElse(0);
    }

    private MigrationView view(Row row) {
        String name = row.directive().plan().migration();
        Evidence evidence = Evidence.of(store.evidence(name, row.observedSince()), LONGEST_GAP, today());
        Readiness readiness = evidence.readiness(ExitCriteria.DEFAULT, today());
        return MigrationView.of(row, movers.of(name), evidence, readiness);
    }

    private static String sentence(Directive before, Directive after) {
        Plan from = before.plan();
        Plan to = after.plan();
        StringBuilder said = new StringBuilder();
        said.append(from.newPercent()).append("% -> ").append(to.newPercent()).append('%');
        if (!from.alsoNew().equals(to.alsoNew())) {
            said.append(", also new: ").append(to.alsoNew().size()).append(" keys");
        }
        if (!from.heldBack().equals(to.heldBack())) {
            said.append(", held back: ").append(to.heldBack().size()).append(" keys");
        }
        said.append(", ").append(after.pace().keysPerSecond()).append(" keys/s");
        return said.append(after.pace().isPaused() ? ", paused" : "").toString();
    }

    private void note(String actor, String action, String why, String outcome) {
        journal.append(new JournalEntry(clock.instant(), Journal.SERVER, actor, action, why, outcome, null));
    }
}
