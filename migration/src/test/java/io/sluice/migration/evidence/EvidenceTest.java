package io.sluice.migration.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement("F75")
class EvidenceTest {
    private static final Duration ALLOWED = Duration.ofMinutes(5);
    private static final LocalDate TODAY = LocalDate.parse("2026-11-30");
    private static final LocalDate YESTERDAY = TODAY.minusDays(1);
    private static final Counts FEW = new Counts(10, 20, 1, 5, 1, 2, 3, 4);

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            00:00:00-24:00:00                                     | true
            00:05:00-23:55:00                                     | true
            00:05:01-24:00:00                                     | false
            00:00:00-23:54:59                                     | false
            00:00:00-10:00:00 10:05:00-24:00:00                   | true
            00:00:00-10:00:00 10:05:01-24:00:00                   | false
            10:05:00-24:00:00 00:00:00-10:00:00                   | true
            00:00:00-12:00:00 06:00:00-08:00:00 12:05:01-24:00:00 | false
            00:00:00-12:00:00 06:00:00-08:00:00 12:05:00-24:00:00 | true
            00:00:00-12:00:00 11:00:00-24:00:00                   | true
            00:00:00-00:00:00                                     | false
            """)
    void aDayIsCompleteWhenSomebodyWatchedAllOfIt(String spans, boolean complete) {
        List<CountedDay> parts = Arrays.stream(spans.split(" "))
                .map(span -> part(span.split("-")[0], span.split("-")[1], Duration.ofSeconds(2)))
                .toList();

        Evidence evidence = Evidence.of(parts, ALLOWED, TODAY);

        assertThat(evidence.days())
                .singleElement()
                .extracting(EvidenceDay::complete)
                .isEqualTo(complete);
    }

    @Test
    void whoSleptForLongerThanAllowedDidNotWatch() {
        assertThat(isComplete(part("00:00:00", "24:00:00", ALLOWED))).isTrue();
        assertThat(isComplete(part("00:00:00", "24:00:00", ALLOWED.plusMillis(1))))
                .isFalse();
        assertThat(isComplete(
                        part("00:00:00", "24:00:00", Duration.ofHours(3)), part("00:00:00", "24:00:00", Duration.ZERO)))
                .isTrue();
    }

    @Test
    void countsOfAllProcessesAreAddedUp() {
        Evidence evidence = Evidence.of(
                List.of(part("00:00:00", "10:00:00", Duration.ZERO), part("08:00:00", "24:00:00", Duration.ZERO)),
                ALLOWED,
                TODAY);

        assertThat(evidence.days()).containsExactly(new EvidenceDay(YESTERDAY, 20, 2, 10, 2, true));
    }

    @Test
    void todayIsNeverComplete() {
        Evidence evidence = Evidence.of(List.of(part("00:00:00", "24:00:00", Duration.ZERO)), ALLOWED, YESTERDAY);

        assertThat(evidence.days().get(0).complete()).isFalse();
    }

    @Test
    void evidenceThatHasEndedIsNotEvidenceOfNow() {
        List<CountedDay> counted = List.of(part("00:00:00", "24:00:00", Duration.ZERO));
        ExitCriteria low = new ExitCriteria(1, 10_000, 10_000, 1);

        assertThat(Evidence.of(counted, ALLOWED, TODAY).readiness(low, TODAY).isReady())
                .isTrue();
        assertThat(Evidence.of(counted, ALLOWED, TODAY.plusDays(1))
                        .readiness(low, TODAY.plusDays(1))
                        .unmet())
                .containsExactly("unbroken days 0 < 1 (minDays): 2026-11-30 was interrupted");
        assertThat(Evidence.of(counted, ALLOWED, TODAY.plusDays(5))
                        .readiness(low, TODAY.plusDays(5))
                        .isReady())
                .isFalse();
    }

    @Test
    void nothingCountedIsNoDay() {
        assertThat(Evidence.of(List.of(), ALLOWED, TODAY).days()).isEmpty();
    }

    @Test
    void sumsBeyondALongStayTheLargest() {
        Counts most = new Counts(Long.MAX_VALUE, 0, 0, Long.MAX_VALUE, Long.MAX_VALUE, 0, 0, 0);

        assertThat(most.plus(FEW))
                .isEqualTo(new Counts(Long.MAX_VALUE, 20, 1, Long.MAX_VALUE, Long.MAX_VALUE, 2, 3, 4));
    }

    @Test
    void countsThatCannotBeAreRefusedAllTogether() {
        assertThatThrownBy(() -> new Counts(-1, -1, -1, 1, 2, -1, -1, -1))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.problems())
                                .extracting(problem -> problem.path())
                                .containsExactly(
                                        "newSuccesses",
                                        "legacySuccesses",
                                        "fallbacks",
                                        "shadowDiffs",
                                        "notCompared",
                                        "unknown",
                                        "behind"));
    }

    @Test
    void instantsOutsideTheDayAreRefused() {
        Instant before = Instant.parse("2026-11-28T23:59:59.999Z");
        Instant after = Instant.parse("2026-11-30T00:00:00.001Z");

        assertThatThrownBy(() -> new CountedDay(YESTERDAY, before, after, Duration.ofDays(2), FEW))
                .hasMessageContainingAll("from was", "until was", "longestGap was");
        assertThatThrownBy(() -> part("10:00:00", "09:59:59", Duration.ZERO)).hasMessageContaining("not before from");
    }

    private static boolean isComplete(CountedDay... parts) {
        return Evidence.of(List.of(parts), ALLOWED, TODAY).days().get(0).complete();
    }

    private static CountedDay part(String from, String until, Duration gap) {
        return new CountedDay(
                YESTERDAY,
                Instant.parse(YESTERDAY + "T" + from + "Z"),
                Instant.parse(YESTERDAY + "T" + until + "Z"),
                gap,
                FEW);
    }
}
