package io.sluice.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.release.JournalEntry;
import io.sluice.server.TestDatabase;
import io.sluice.testing.Requirement;
import java.time.Instant;
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
