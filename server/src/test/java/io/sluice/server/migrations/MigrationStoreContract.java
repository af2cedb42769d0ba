package io.sluice.server.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.migration.evidence.CountedDay;
import io.sluice.migration.evidence.Counts;
import io.sluice.migration.plan.Directive;
import io.sluice.migration.plan.Pace;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.Side;
import io.sluice.server.TestDatabase;
import io.sluice.testing.Requirement;
import io.sluice.wire.migration.ReportedDifference;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DuplicateKeyException;

/** What the store of migrations keeps on every database. */
abstract class MigrationStoreContract {
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 30);
    private static final Instant NOW = Instant.parse("2026-11-30T08:15:00.123456Z");
    private static final Directive START = Directive.start("inventory");

    private final TestDatabase database = database();
    private final MigrationStore store = new MigrationStore(database.jdbc());

    /** An empty database. */
    abstract TestDatabase database();

    @BeforeEach
    void create() {
        store.insert(START, TODAY, NOW);
    }

    @Test
    void whatIsWantedIsReadBackEqual() {
        Directive next = new Directive(
                9,
                new Plan("inventory", 4, 20, Set.of("sku-a", "鍵 😀 '\"%_\\"), Set.of("k".repeat(255), "sku-1")),
                new Pace(100_000, true));

        store.update(START.plan(), next);

        assertThat(store.find("inventory")).contains(new MigrationStore.Row(next, TODAY));
        assertThat(store.version("inventory")).contains(9L);
        assertThat(store.find("stock")).isEmpty();
        assertThat(store.version("stock")).isEmpty();
        assertThat(store.hold("stock")).isEmpty();
    }

    @Test
    void aTakenNameIsRefusedAndTheOlderMigrationComesFirst() {
        store.insert(Directive.start("a-later-one"), TODAY, NOW.plusSeconds(1));

        assertThatThrownBy(() -> store.insert(START, TODAY, NOW)).isInstanceOf(DuplicateKeyException.class);
        assertThat(store.all())
                .extracting(row -> row.directive().plan().migration())
                .containsExactly("inventory", "a-later-one");
    }

    @Test
    void theLongestListsAreKeptAndEachAloneIsReplaced() {
        Set<String> first = keys("漢");
        Set<String> second = keys("字");
        Directive full = new Directive(2, new Plan("inventory", 2, 0, first, second), Pace.DEFAULT);
        store.update(START.plan(), full);
        assertThat(store.find("inventory").orElseThrow().directive()).isEqualTo(full);

        Directive fewer = new Directive(3, new Plan("inventory", 3, 0, first, Set.of("sku-1")), Pace.DEFAULT);
        store.update(full.plan(), fewer);
        assertThat(store.find("inventory").orElseThrow().directive()).isEqualTo(fewer);

        Directive none = new Directive(4, new Plan("inventory", 4, 0, Set.of(), Set.of("sku-1")), Pace.DEFAULT);
        store.update(fewer.plan(), none);
        assertThat(store.find("inventory").orElseThrow().directive()).isEqualTo(none);
    }

    private static Set<String> keys(String letter) {
        return IntStream.range(0, Plan.LONGEST_LIST)
                .mapToObj(i -> "%05d".formatted(i) + letter.repeat(60))
                .collect(Collectors.toSet());
    }

    @Test
    void aDayIsReadBackEqualAndInItsOwnDate() {
        LocalDate leap = LocalDate.of(2028, 2, 29);
        CountedDay day = new CountedDay(
                leap,
                Instant.parse("2028-02-29T00:00:00Z"),
                Instant.parse("2028-03-01T00:00:00Z"),
                Duration.ofMillis(2_345),
                new Counts((1L << 53) - 1, 2, 3, 5, 4, 6, 7, 8));

        store.save("inventory", "inventory@a:1", day);

        assertThat(store.evidence("inventory", leap)).containsExactly(day);
        assertThat(store.evidence("inventory", leap.plusDays(1))).isEmpty();
    }

    @Test
    @Requirement("I6")
    void aLaterWordReplacesAnEarlierOneAndAnOvertakenOneChangesNothing() {
        CountedDay early = Reports.day(TODAY, "08:00", "08:10", Reports.counts(10, 0, 5, 0));
        CountedDay late = Reports.day(TODAY, "08:00", "08:20", Reports.counts(30, 1, 9, 1));
        CountedDay other = Reports.day(TODAY, "08:00", "08:15", Reports.counts(100, 0, 0, 0));

        store.save("inventory", "inventory@a:1", early);
        store.save("inventory", "inventory@a:1", late);
        store.save("inventory", "inventory@a:1", late);
        store.save("inventory", "inventory@a:1", early);
        store.save("inventory", "inventory@b:1", other);

        assertThat(store.evidence("inventory", TODAY)).containsExactly(late, other);
        assertThat(store.reporters("inventory", TODAY)).isEqualTo(2);
        assertThat(store.hasTold("inventory", TODAY, "inventory@a:1")).isTrue();
        assertThat(store.hasTold("inventory", TODAY, "inventory@c:1")).isFalse();
    }

    @Test
    @Requirement("I5")
    void theNewestDifferencesAreKeptTheNewestFirst() {
        ReportedDifference whole = new ReportedDifference(
                "x".repeat(128),
                "鍵 😀",
                "available",
                1L << 52,
                Side.NEW,
                "v".repeat(512),
                "",
                NOW.plusSeconds(100).minusNanos(456_000));
        store.save("inventory", whole);
        for (int i = 0; i < 5; i++) {
            store.save("inventory", Reports.difference("d" + i, "sku-" + i, NOW.plusSeconds(i)));
        }
        store.save("inventory", Reports.difference("d3", "sku-changed", NOW.plusSeconds(1_000)));

        assertThat(store.differences("inventory", 2))
                .containsExactly(whole, Reports.difference("d4", "sku-4", NOW.plusSeconds(4)));
        store.keepNewest("inventory", 3);
        assertThat(store.differences("inventory", 100))
                .extracting(ReportedDifference::id)
                .containsExactly(whole.id(), "d4", "d3");
    }

    @Test
    void whatNoDatabaseKeepsIsShownInItsPlace() {
        ReportedDifference odd = new ReportedDifference("i\0", "sku-1", "r\0", 1, Side.NEW, "a\0b", "c\ud83dd", NOW);

        store.save("inventory", odd);
        store.save("inventory", odd);

        assertThat(store.differences("inventory", 10))
                .containsExactly(
                        new ReportedDifference("i\ufffd", "sku-1", "r\ufffd", 1, Side.NEW, "a\ufffdb", "c?d", NOW));
    }

    @Test
    void anotherMigrationsDifferencesAreLeftAlone() {
        store.insert(Directive.start("stock"), TODAY, NOW);
        store.save("inventory", Reports.difference("d", "sku-1", NOW));
        store.save("stock", Reports.difference("d", "sku-2", NOW));

        store.keepNewest("inventory", 0);

        assertThat(store.differences("inventory", 10)).isEmpty();
        assertThat(store.differences("stock", 10)).hasSize(1);
    }

    @Test
    void theFirstDayThatCountsIsChangedAlone() {
        store.observeSince("inventory", TODAY.plusDays(3));

        assertThat(store.find("inventory")).contains(new MigrationStore.Row(START, TODAY.plusDays(3)));
        Optional<LocalDate> held = database.transaction().execute(status -> store.hold("inventory"));
        assertThat(held).contains(TODAY.plusDays(3));
    }
}
