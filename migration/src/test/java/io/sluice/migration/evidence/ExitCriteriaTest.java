package io.sluice.migration.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import io.sluice.testing.Requirement;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

@Requirement("I6")
class ExitCriteriaTest {
    private static final LocalDate DAY = LocalDate.parse("2026-11-30");

    @Test
    void theDefaultsAreAsPublished() {
        assertThat(ExitCriteria.DEFAULT).isEqualTo(new ExitCriteria(50_000, 10, 5, 7));
    }

    @Test
    void theEndsOfEachRangeAreAllowed() {
        assertThat(new ExitCriteria(1, 0, 0, 1).minDays()).isEqualTo(1);
        assertThat(new ExitCriteria(Long.MAX_VALUE, 10_000, 10_000, 366).minDays())
                .isEqualTo(366);
    }

    @Test
    void everyCriterionOutOfRangeIsNamedAtOnce() {
        assertThatThrownBy(() -> new ExitCriteria(0, -1, 10_001, 0))
                .isInstanceOf(RefusedException.class)
                .hasMessage("minNewSuccesses was 0, but must be 1 or more; "
                        + "maxFallbackBps was -1, but must be within 0..10000; "
                        + "maxShadowDiffBps was 10001, but must be within 0..10000; "
                        + "minDays was 0, but must be within 1..366");
        assertThatThrownBy(() -> new ExitCriteria(1, 10_001, -1, 367))
                .hasMessage("maxFallbackBps was 10001, but must be within 0..10000; "
                        + "maxShadowDiffBps was -1, but must be within 0..10000; "
                        + "minDays was 367, but must be within 1..366");
    }

    @Test
    void aDayMayHaveNothingOrDifferOnAllItChecked() {
        assertThat(new EvidenceDay(DAY, 0, 0, 0, 0, true).complete()).isTrue();
        assertThat(new EvidenceDay(DAY, 1, 1, 9, 9, false).shadowDiffs()).isEqualTo(9);
    }

    @Test
    void everyCountOfADayThatCanNotBeIsNamedAtOnce() {
        assertThatThrownBy(() -> new EvidenceDay(DAY, -1, -2, -3, -4, true))
                .isInstanceOf(RefusedException.class)
                .hasMessage("newSuccesses was -1, but must be 0 or more; fallbacks was -2, but must be 0 or more; "
                        + "shadowChecks was -3, but must be 0 or more; "
                        + "shadowDiffs was -4, but must be within 0..shadowChecks (-3)");
        assertThatThrownBy(() -> new EvidenceDay(DAY, 1, 1, 3, 4, true))
                .hasMessage("shadowDiffs was 4, but must be within 0..shadowChecks (3)");
    }
}
