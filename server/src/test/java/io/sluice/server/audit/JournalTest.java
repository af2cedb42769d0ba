package io.sluice.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.guard.Finding;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.Tick;
import io.sluice.core.guard.Verdict;
import io.sluice.core.release.JournalEntry;
import io.sluice.server.TestDatabase;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JournalTest {
    private final TestDatabase database = TestDatabase.create();
    private final Journal journal = new Journal(database.jdbc());

    @BeforeEach
    void fiveEntries() {
        for (int i = 1; i <= 5; i++) {
            JournalEntry entry = new JournalEntry(
                    Instant.parse("2026-10-01T00:00:00.123456789Z"),
                    "release",
                    "ann",
                    "pause",
                    "no. " + i,
                    "paused",
                    null);
            database.transaction().executeWithoutResult(status -> journal.append(entry));
        }
    }

    @Test
    void whatWasWrittenIsWhole() {
        assertThat(journal.firstBroken()).isEmpty();
        assertThat(journal.of("release")).extracting(Journal.Line::seq).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(journal.newest(2)).extracting(Journal.Line::seq).containsExactly(5L, 4L);
        assertThat(journal.newest("other", 2)).isEmpty();
    }

    @Test
    void aChangeThatIsTakenBackTakesItsEntryAlong() {
        database.transaction().executeWithoutResult(status -> {
            journal.append(new JournalEntry(Instant.EPOCH, "release", "ann", "abort", "", "aborted", null));
            status.setRollbackOnly();
        });

        assertThat(journal.of("release")).hasSize(5);
        assertThat(journal.firstBroken()).isEmpty();
    }

    @Test
    void theFindingsOfAVerdictAreNotKeptAndBreakNoHash() {
        Finding finding = new Finding("order", "errors", true, Health.HEALTHY, "", Tick.NOTHING, 0.5, 100);
        Verdict verdict =
                new Verdict(Health.HOLD, "no_data", "order", 1, 0, Duration.ofMillis(3)).with(List.of(finding));
        JournalEntry entry = new JournalEntry(Instant.EPOCH, "release", "guard", "verdict", "", "ramping", verdict);

        database.transaction().executeWithoutResult(status -> journal.append(entry));

        assertThat(journal.firstBroken()).isEmpty();
        assertThat(journal.lastVerdict("release")).hasValue(verdict.with(List.of()));
    }

    /** The form of a verdict in the hash never changes, or journals that are there would not be whole any more. */
    @Test
    void theHashOfAVerdictStaysAsItIs() {
        Verdict verdict = new Verdict(Health.BREACH, "p99=2ms>1ms", "order", 10, 1, Duration.ofMillis(2));
        JournalEntry entry = new JournalEntry(Instant.EPOCH, "release", "guard", "abort", "why", "aborted", verdict);

        assertThat(EntryHash.of(EntryHash.FIRST, 1, entry))
                .isEqualTo("dea91b6ee630badae56d810f86f6dd050da4572afa79ec7322fbcfbead418684");
    }

    @ParameterizedTest
    @Requirement("F43")
    @CsvSource(
            delimiter = '|',
            value = {
                "update journal set why = 'another' where seq = 3 | 3",
                "update journal set actor = 'bob' where seq = 1 | 1",
                "delete from journal where seq = 2 | 2",
                "update journal set seq = 9 where seq = 5 | 5",
                "delete from journal where seq = 5 | 5",
                "update journal set hash = 'x' where seq = 4 | 4"
            })
    void theFirstEntryThatIsNotAsItWasIsFound(String tampering, long broken) {
        database.jdbc().sql(tampering).update();

        assertThat(journal.firstBroken()).hasValue(broken);
    }
}
