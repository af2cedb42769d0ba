package io.sluice.server.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.migration.evidence.CountedDay;
import io.sluice.migration.evidence.Counts;
import io.sluice.migration.evidence.ExitCriteria;
import io.sluice.migration.plan.Directive;
import io.sluice.server.TestDatabase;
import io.sluice.server.audit.Journal;
import io.sluice.server.migrations.MigrationView.Day;
import io.sluice.testing.Requirement;
import io.sluice.testing.SettableClock;
import io.sluice.wire.migration.MigrationChange;
import io.sluice.wire.migration.ReportedDifference;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Migrations over days, by a clock that is set by hand. */
class MigrationsTest {
    private static final String NAME = "inventory";
    private static final String FIRST = "inventory@a:1";
    private static final String SECOND = "inventory@b:1";

    private final SettableClock clock = SettableClock.create();
    private final LocalDate today = LocalDate.of(2026, 10, 1);
    private final LocalDate tomorrow = today.plusDays(1);
    private final AtomicLong nanos = new AtomicLong();
    private final TestDatabase database = TestDatabase.create();
    private final MigrationStore store = new MigrationStore(database.jdbc());
    private final Migrations migrations = start();

    /** As a server does that begins with this database. */
    private Migrations start() {
        return new Migrations(
                store,
                new LastSaved(),
                new Movers(nanos::get),
                new Journal(database.jdbc()),
                database.transaction(),
                clock);
    }

    @BeforeEach
    void create() {
        migrations.create(NAME, "ann", "one stock for all");
    }

    @Test
    @Requirement("I6")
    void countsOfSeveralProcessesAreSummedByDay() {
        take(FIRST, Reports.day(today, Reports.counts(100, 1, 40, 2)));
        take(SECOND, Reports.day(today, Reports.counts(50, 2, 30, 1)));
        clock.advance(Duration.ofDays(1));
        take(FIRST, Reports.day(tomorrow, "00:00", "00:10", Reports.counts(5, 0, 1, 0)));

        assertThat(migrations.find(NAME).days())
                .containsExactly(new Day("2026-10-01", 150, 3, 70, 3, true), new Day("2026-10-02", 5, 0, 1, 0, false));
    }

    @Test
    @Requirement("I6")
    void aDayWithAGapThatNobodyWatchedIsNotComplete() {
        clock.advance(Duration.ofDays(2));
        take(FIRST, Reports.day(today, "00:00", "12:00", Counts.NONE));
        take(SECOND, Reports.day(today, "12:04", "23:59", Counts.NONE));
        take(FIRST, Reports.day(tomorrow, "00:00", "12:00", Counts.NONE));
        take(SECOND, Reports.day(tomorrow, "12:06", "23:59", Counts.NONE));

        assertThat(migrations.find(NAME).days()).extracting(Day::complete).containsExactly(true, false);
        assertThat(migrations.find(NAME).unmet()).last().asString().contains("2026-10-02 was interrupted");
    }

    @Test
    @Requirement("I6")
    void sevenWholeDaysAreReadyAndASilentOneAfterThemIsNot() {
        for (int i = 0; i < 7; i++) {
            take(FIRST, Reports.day(today.plusDays(i), Reports.counts(10_000, 5, 1_000, 0)));
            clock.advance(Duration.ofDays(1));
        }

        assertThat(migrations.find(NAME).ready()).isTrue();
        assertThat(migrations.readiness(NAME, new ExitCriteria(50_000, 4, 5, 7)).unmet())
                .singleElement()
                .asString()
                .contains("maxFallbackBps");

        clock.advance(Duration.ofDays(1));

        assertThat(migrations.find(NAME).ready()).isFalse();
    }

    @Test
    void observingAnewForgetsWhatWasBefore() {
        take(FIRST, Reports.day(today, Reports.counts(100, 1, 40, 2)));
        clock.advance(Duration.ofDays(1));
        take(FIRST, Reports.day(tomorrow, "00:00", "00:10", Reports.counts(5, 0, 1, 0)));

        MigrationView view = migrations.observe(NAME, "ann", "the new side was rebuilt");

        assertThat(view.observedSince()).isEqualTo("2026-10-02");
        assertThat(view.days()).extracting(Day::newSuccesses).containsExactly(5L);
        take(SECOND, Reports.day(today, Reports.counts(1, 0, 0, 0)));
        assertThat(store.evidence(NAME, today)).hasSize(2);
        assertThat(migrations.find(NAME).days()).hasSize(1);
    }

    @Test
    void aDayThatIsNotYetIsRefusedAndNothingOfItsReportIsKept() {
        CountedDay sooner = Reports.day(today.plusDays(2), Reports.counts(1, 0, 0, 0));

        assertThatThrownBy(() -> take(FIRST, Reports.day(today, Reports.counts(1, 0, 0, 0)), sooner))
                .isInstanceOf(MigrationRefusedException.class)
                .hasMessage("2026-10-03 is not yet, here it is 2026-10-01: look at the clock of " + FIRST);

        assertThat(migrations.find(NAME).days()).isEmpty();
        take(FIRST, Reports.day(tomorrow, Reports.counts(1, 0, 0, 0)));
        assertThat(migrations.find(NAME).days()).extracting(Day::date).contains("2026-10-02");
    }

    @Test
    void aDayHasNoMoreThanAThousandReporters() {
        for (int i = 0; i < 1_000; i++) {
            take("inventory@a:" + i, Reports.day(today, Reports.counts(1, 0, 0, 0)));
        }

        assertThatThrownBy(() -> take("inventory@b:1", Reports.day(today, Reports.counts(1, 0, 0, 0))))
                .isInstanceOf(MigrationRefusedException.class)
                .hasMessage("1000 runs of processes have told of 2026-10-01 already");
        take("inventory@a:7", Reports.day(today, Reports.counts(2, 0, 0, 0)));
        take("inventory@b:1", Reports.day(tomorrow, Reports.counts(1, 0, 0, 0)));
        assertThat(migrations.find(NAME).days()).extracting(Day::newSuccesses).containsExactly(1_001L, 1L);
    }

    @Test
    void aReportWithoutNewsWritesNothing() {
        take(FIRST, Reports.day(today, "08:00", "08:10", Reports.counts(5, 0, 1, 0)));
        database.jdbc().sql("delete from migration_evidence").update();

        // Nothing was counted, and it is watched for no longer than may be missing.
        take(FIRST, Reports.day(today, "08:00", "08:10:30", Reports.counts(5, 0, 1, 0)));
        assertThat(store.evidence(NAME, today)).isEmpty();

        CountedDay later = Reports.day(today, "08:00", "08:10:31", Reports.counts(5, 0, 1, 0));
        take(FIRST, later);
        assertThat(store.evidence(NAME, today)).containsExactly(later);

        CountedDay more = Reports.day(today, "08:00", "08:10:32", Reports.counts(6, 0, 1, 0));
        take(FIRST, more);
        assertThat(store.evidence(NAME, today)).containsExactly(more);
    }

    @Test
    void theEndOfADayIsAlwaysSaved() {
        take(FIRST, Reports.day(today, "00:00", "23:59:59", Counts.NONE));
        CountedDay whole = Reports.day(today, Counts.NONE);

        take(FIRST, whole);

        assertThat(store.evidence(NAME, today)).containsExactly(whole);
    }

    @Test
    void aServerThatStartsAnewSavesWhatItDoesNotKnow() {
        CountedDay day = Reports.day(today, "08:00", "08:10", Reports.counts(5, 0, 1, 0));
        take(FIRST, day);
        database.jdbc().sql("delete from migration_evidence").update();

        start().take(NAME, Reports.of(FIRST, 1, 1, day));

        assertThat(store.evidence(NAME, today)).containsExactly(day);
    }

    @Test
    @Requirement("I5")
    void aThousandDifferencesAreKeptTheNewestFirst() {
        for (int i = 0; i < 11; i++) {
            List<ReportedDifference> hundred = new ArrayList<>();
            for (int j = 0; j < 100; j++) {
                int number = i * 100 + j;
                hundred.add(Reports.difference(
                        "d" + number, "sku-" + number, clock.instant().plusSeconds(number)));
            }
            migrations.take(NAME, Reports.differing(Reports.of(FIRST, 1, 1), hundred));
        }

        assertThat(migrations.differences(NAME, 5_000))
                .hasSize(1_000)
                .first()
                .extracting(ReportedDifference::id)
                .isEqualTo("d1099");
        assertThat(migrations.differences(NAME, 2))
                .extracting(ReportedDifference::id)
                .containsExactly("d1099", "d1098");
    }

    @Test
    void whoIsBehindAndWhoIsSilentIsSeen() {
        migrations.change(NAME, MigrationChange.percent(5, "first"), "ann");
        take("inventory@behind:1", 1, 1);
        take("inventory@there:1", 2, 2);
        nanos.addAndGet(Duration.ofSeconds(11).toNanos());
        take("inventory@later:1", 2, 2);

        MigrationView view = migrations.find(NAME);

        assertThat(view.behind()).isEqualTo(1);
        assertThat(view.processes())
                .extracting(
                        MigrationView.ProcessView::reporter,
                        MigrationView.ProcessView::planRevision,
                        MigrationView.ProcessView::reached,
                        MigrationView.ProcessView::unheardMillis)
                .containsExactly(
                        tuple("inventory@behind:1", 1L, false, 11_000L),
                        tuple("inventory@later:1", 2L, true, 0L),
                        tuple("inventory@there:1", 2L, false, 11_000L));

        nanos.addAndGet(Duration.ofMinutes(11).toNanos());
        assertThat(migrations.find(NAME).processes()).isEmpty();
    }

    @Test
    void moversThatShareTheWorkAreSummed() {
        migrations.take(NAME, Reports.moving(Reports.of(FIRST, 1, 1), Reports.progress(500, 10, 1, 2)));
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        migrations.take(NAME, Reports.moving(Reports.of(SECOND, 1, 1), Reports.progress(250, 20, 0, 1)));
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        take("inventory@no-mover:1", 1, 1);

        assertThat(migrations.find(NAME).progress())
                .isEqualTo(new MigrationView.Progress("moving", 250, 30, 0, 1, 500, 1L));

        nanos.addAndGet(Duration.ofSeconds(11).toNanos());
        assertThat(migrations.find(NAME).progress())
                .isEqualTo(new MigrationView.Progress("moving", 250, 30, 0, 1, 0, null));
    }

    @Test
    @Requirement("I7")
    void whatProcessesHaveTakenOfALostDatabaseIsOvertaken() {
        take(FIRST, 9, 12);

        migrations.change(NAME, MigrationChange.percent(5, "again"), "ann");

        Optional<Directive> wanted = migrations.take(NAME, Reports.of(FIRST, 9, 12));
        assertThat(wanted.orElseThrow().version()).isEqualTo(13);
        assertThat(wanted.orElseThrow().plan().revision()).isEqualTo(10);
    }

    @Test
    void thereAreAHundredMigrationsAtMost() {
        for (int i = 1; i < 100; i++) {
            migrations.create("m-" + i, "ann", "w");
        }

        assertThatThrownBy(() -> migrations.create("one-more", "ann", "w"))
                .isInstanceOf(MigrationRefusedException.class)
                .hasMessage("there are 100 migrations already");
    }

    private void take(String reporter, CountedDay... days) {
        migrations.take(NAME, Reports.of(reporter, 1, 1, days));
    }

    private void take(String reporter, long revision, long version) {
        migrations.take(NAME, Reports.of(reporter, revision, version));
    }
}
