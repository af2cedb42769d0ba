package io.sluice.migration.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.core.problem.RefusedException;
import io.sluice.testing.Requirement;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement({"I6", "F75"})
class ReadinessTest {
    private static final LocalDate TODAY = LocalDate.parse("2026-11-30");
    private static final ExitCriteria LIMITS = ExitCriteria.DEFAULT;

    @Test
    void aWeekOfGoodDaysIsReady() {
        Readiness readiness = days("CCCCCCC").readiness(LIMITS, TODAY);

        assertThat(readiness.isReady()).isTrue();
        assertThat(readiness.unmet()).isEmpty();
    }

    @Test
    void nothingAtAllMeetsNoCondition() {
        Readiness readiness = new Evidence(List.of()).readiness(new ExitCriteria(1, 10_000, 10_000, 1), TODAY);

        assertThat(readiness.isReady()).isFalse();
        assertThat(readiness.unmet())
                .containsExactly(
                        "new successes 0 < 1 (minNewSuccesses), over 0 days",
                        "fallback rate not known, limit 10000 bps (maxFallbackBps): 0 of 0 requests of the new side"
                                + " (successes and fallbacks) over 0 days, and no evidence is never ready",
                        "shadow difference rate not known, limit 10000 bps (maxShadowDiffBps): 0 of 0 comparisons over 0"
                                + " days, and no evidence is never ready",
                        "unbroken days 0 < 1 (minDays): no day that is over was given");
    }

    @Test
    void everythingUnmetIsListedAtOnce() {
        Evidence evidence = new Evidence(List.of(
                new EvidenceDay(TODAY.minusDays(2), 40_000, 50, 900, 1, true),
                new EvidenceDay(TODAY.minusDays(1), 9_999, 10, 100, 0, true)));

        assertThat(evidence.readiness(LIMITS, TODAY).unmet())
                .containsExactly(
                        "new successes 49999 < 50000 (minNewSuccesses), over 2 days, 2026-11-28 to 2026-11-29",
                        "fallback rate 11.99 bps > 10 bps (maxFallbackBps): 60 of 50059 requests of the new side"
                                + " (successes and fallbacks) over 2 days, 2026-11-28 to 2026-11-29",
                        "shadow difference rate 10.00 bps > 5 bps (maxShadowDiffBps): 1 of 1000 comparisons over 2 days,"
                                + " 2026-11-28 to 2026-11-29",
                        "unbroken days 2 < 7 (minDays): the first day given is 2026-11-28");
    }

    @ParameterizedTest(name = "{0} successes, {1} fallbacks, {2} checks, {3} diffs: {4}")
    @CsvSource({
        "50000, 0, 1, 0, ''",
        "49999, 0, 1, 0, minNewSuccesses",
        "0, 0, 1, 0, minNewSuccesses maxFallbackBps",
        "0, 1, 1, 0, minNewSuccesses maxFallbackBps",
        // 10 bps exactly, one fallback more, one success less
        "999000, 1000, 1, 0, ''",
        "999000, 1001, 1, 0, maxFallbackBps",
        "998999, 1000, 1, 0, maxFallbackBps",
        // 10.9 bps
        "998910, 1090, 1, 0, maxFallbackBps",
        "50000, 0, 0, 0, maxShadowDiffBps",
        // 5 bps exactly, one difference more, one comparison less
        "50000, 0, 10000, 5, ''",
        "50000, 0, 10000, 6, maxShadowDiffBps",
        "50000, 0, 9999, 5, maxShadowDiffBps",
        "50000, 0, 1, 1, maxShadowDiffBps",
        // sums that no long holds
        "9223372036854775807, 0, 9223372036854775807, 0, ''",
        "9223372036854775807, 9223372036854775807, 9223372036854775807, 9223372036854775807, maxFallbackBps maxShadowDiffBps",
        "9223372036854775807, 9232604641496272, 9223372036854775807, 4611686018427387, ''",
        "9223372036854775807, 9232604641496273, 9223372036854775807, 4611686018427388, maxFallbackBps maxShadowDiffBps",
    })
    void bothEndsOfEveryLimit(long successes, long fallbacks, long checks, long diffs, String unmet) {
        List<EvidenceDay> days =
                new ArrayList<>(days("CCCCCC", 0, TODAY.minusDays(2)).days());
        days.add(new EvidenceDay(TODAY.minusDays(1), successes, fallbacks, checks, diffs, true));

        assertThat(criteriaOf(new Evidence(days).readiness(LIMITS, TODAY))).isEqualTo(unmet);
    }

    @Test
    void daysThatOverflowTogetherAreSummedAllTheSame() {
        Evidence evidence = new Evidence(List.of(
                new EvidenceDay(TODAY.minusDays(2), Long.MAX_VALUE, 0, Long.MAX_VALUE, 0, true),
                new EvidenceDay(TODAY.minusDays(1), Long.MAX_VALUE, 0, Long.MAX_VALUE, Long.MAX_VALUE, true)));

        assertThat(evidence.readiness(new ExitCriteria(Long.MAX_VALUE, 0, 4_999, 2), TODAY)
                        .unmet())
                .containsExactly(
                        "shadow difference rate 5000.00 bps > 4999 bps (maxShadowDiffBps): 9223372036854775807 of"
                                + " 18446744073709551614 comparisons over 2 days, 2026-11-28 to 2026-11-29");
        assertThat(evidence.readiness(new ExitCriteria(Long.MAX_VALUE, 0, 5_000, 2), TODAY)
                        .isReady())
                .isTrue();
    }

    @Test
    void aRateThatIsAHairAboveReadsAsAbove() {
        Evidence evidence =
                new Evidence(List.of(new EvidenceDay(TODAY.minusDays(1), 999_000_000, 999_001, 1_000, 0, true)));

        assertThat(evidence.readiness(new ExitCriteria(1, 9, 5, 1), TODAY)
                        .unmet()
                        .get(0))
                .startsWith("fallback rate 10.00 bps > 9 bps");
        assertThat(evidence.readiness(new ExitCriteria(1, 10, 5, 1), TODAY).isReady())
                .isTrue();
        assertThat(new Evidence(List.of(new EvidenceDay(TODAY.minusDays(1), 999_000_000, 1_000_001, 1_000, 0, true)))
                        .readiness(new ExitCriteria(1, 10, 5, 1), TODAY)
                        .unmet())
                .first()
                .asString()
                .startsWith("fallback rate 10.01 bps > 10 bps");
    }

    @Test
    void countsOfDaysBeforeTheWindowCountToo() {
        List<EvidenceDay> days = new ArrayList<>(days("CCCCCCC").days());
        days.add(new EvidenceDay(TODAY.minusDays(60), 0, 100_000, 0, 0, false));

        assertThat(criteriaOf(new Evidence(days).readiness(LIMITS, TODAY))).isEqualTo("maxFallbackBps");
    }

    /** The last letter is yesterday, or today where it is in brackets: C complete, I not, . not given. */
    @ParameterizedTest(name = "{0}: {1} days, {2}")
    @CsvSource(delimiter = '|', textBlock = """
            CCCCCCC    | 7 | ''
            CCCCCCCC   | 8 | ''
            CCCCCC     | 6 | the first day given is 2026-11-24
            C          | 1 | the first day given is 2026-11-29
            ICCCCCC    | 6 | 2026-11-23 was interrupted
            CICCCCCCC  | 7 | ''
            .CCCCCC    | 6 | the first day given is 2026-11-24
            C.CCCCCC   | 6 | 2026-11-23 is missing
            CCCCCCI    | 0 | 2026-11-29 was interrupted
            CCCCCICC   | 2 | 2026-11-27 was interrupted
            CCCCC.CC   | 2 | 2026-11-27 is missing
            CCCIC.C    | 1 | 2026-11-28 is missing
            CCC.CIC    | 1 | 2026-11-28 was interrupted
            CCCCCCC(I) | 7 | ''
            CCCCCC(I)  | 6 | the first day given is 2026-11-24; 2026-11-30 is still under way and does not count
            CCCCCC(C)  | 7 | ''
            CCCCC(C)   | 6 | the first day given is 2026-11-25
            CCCCCC.(I) | 0 | 2026-11-29 is missing; 2026-11-30 is still under way and does not count
            CCCCCCI(I) | 0 | 2026-11-29 was interrupted; 2026-11-30 is still under way and does not count
            (I)        | 0 | no day that is over was given; 2026-11-30 is still under way and does not count
            (C)        | 1 | the first day given is 2026-11-30
            """)
    void theWindowIsTheRunAtTheEnd(String days, int length, String because) {
        Evidence evidence = days.endsWith(")")
                ? days(days.replaceAll("[()]", ""), 10_000, TODAY)
                : days(days, 10_000, TODAY.minusDays(1));

        Readiness readiness = evidence.readiness(new ExitCriteria(1, 10, 10, 7), TODAY);

        assertThat(readiness.unmet())
                .isEqualTo(length >= 7 ? List.of() : List.of("unbroken days " + length + " < 7 (minDays): " + because));
    }

    @Test
    void everyConditionSaysWhatWasSeenWhetherMetOrNot() {
        Evidence evidence = new Evidence(List.of(new EvidenceDay(TODAY.minusDays(1), 299, 1, 0, 0, true)));

        Readiness readiness = evidence.readiness(new ExitCriteria(299, 33, 5, 2), TODAY);

        assertThat(readiness.conditions())
                .extracting(
                        Readiness.Condition::criterion,
                        Readiness.Condition::isMet,
                        each -> each.seen().map(BigDecimal::toPlainString).orElse("nothing"),
                        Readiness.Condition::limit)
                .containsExactly(
                        tuple("minNewSuccesses", true, "299", 299L),
                        tuple("maxFallbackBps", false, "33.34", 33L),
                        tuple("maxShadowDiffBps", false, "nothing", 5L),
                        tuple("minDays", false, "1", 2L));
        assertThat(readiness.unmet()).hasSize(3);
        assertThat(readiness.isReady()).isFalse();
    }

    @Test
    void onlyTheLastDayMayBeUnderWay() {
        Evidence clocksDisagree = days("CCCCCCCII", 10_000, TODAY.plusDays(1));

        assertThat(clocksDisagree
                        .readiness(new ExitCriteria(1, 10, 10, 1), TODAY)
                        .unmet())
                .containsExactly(
                        "unbroken days 0 < 1 (minDays): 2026-11-30 was interrupted; 2026-12-01 is still under way"
                                + " and does not count");
    }

    @Test
    void aDayThatIsStillToComeIsNoEvidence() {
        Evidence foretold = days("CCCCCCC", 10_000, TODAY.plusDays(7));

        assertThat(foretold.readiness(new ExitCriteria(1, 10, 10, 1), TODAY).unmet())
                .containsExactly("unbroken days 0 < 1 (minDays): 2026-12-07 is still to come");
    }

    @Test
    void datesAreNeededOnceAndInNoOrder() {
        EvidenceDay first = new EvidenceDay(TODAY.minusDays(1), 1, 0, 1, 0, true);
        EvidenceDay second = new EvidenceDay(TODAY, 2, 0, 1, 0, true);

        assertThat(new Evidence(List.of(second, first)).days()).containsExactly(first, second);
        assertThatThrownBy(() -> new Evidence(List.of(first, second, first, second)))
                .isInstanceOf(RefusedException.class)
                .hasMessage("days[2].date was 2026-11-29, but must be there once; "
                        + "days[3].date was 2026-11-30, but must be there once");
    }

    @Property
    void ratesAreComparedAsBigDecimalsWould(
            @ForAll("counts") long part, @ForAll("counts") long rest, @ForAll @IntRange(max = 10_000) int limit) {
        long all = Math.max(part, rest);
        long diffs = Math.min(part, rest);
        Evidence evidence = new Evidence(List.of(new EvidenceDay(TODAY.minusDays(1), rest, part, all, diffs, true)));

        Readiness readiness = evidence.readiness(new ExitCriteria(Long.MAX_VALUE, limit, limit, 1), TODAY);

        BigDecimal requests = BigDecimal.valueOf(part).add(BigDecimal.valueOf(rest));
        assertThat(isUnmet("maxFallbackBps", readiness))
                .isEqualTo(isTooMuch(BigDecimal.valueOf(part), requests, limit));
        assertThat(isUnmet("maxShadowDiffBps", readiness))
                .isEqualTo(isTooMuch(BigDecimal.valueOf(diffs), BigDecimal.valueOf(all), limit));
    }

    @Property
    void aRateAtTheLimitIsMetAndOneMoreIsNot(
            @ForAll @LongRange(min = 1, max = 900_000_000_000L) long times, @ForAll @IntRange(max = 9_999) int limit) {
        long all = times * 10_000;
        long part = times * limit;
        ExitCriteria criteria = new ExitCriteria(1, 10_000, limit, 1);

        assertThat(isUnmet("maxShadowDiffBps", day(all, part).readiness(criteria, TODAY)))
                .isFalse();
        assertThat(isUnmet("maxShadowDiffBps", day(all, part + 1).readiness(criteria, TODAY)))
                .isTrue();
    }

    @Property
    void theOrderInWhichDaysAreGivenDoesNotMatter(@ForAll("patterns") String pattern, @ForAll long seed) {
        Evidence evidence = days(pattern);
        List<EvidenceDay> shuffled = new ArrayList<>(evidence.days());
        Collections.shuffle(shuffled, new Random(seed));

        assertThat(new Evidence(shuffled).readiness(LIMITS, TODAY)).isEqualTo(evidence.readiness(LIMITS, TODAY));
    }

    @Property
    void theWindowIsWhatALookAtTheLettersGives(
            @ForAll("patterns") String pattern, @ForAll @IntRange(min = 1, max = 20) int least) {
        int length = pattern.length() - 1 - Math.max(pattern.lastIndexOf('I'), pattern.lastIndexOf('.'));

        Readiness readiness =
                days(pattern + "C".repeat(2)).readiness(new ExitCriteria(1, 10_000, 10_000, least), TODAY);

        assertThat(readiness.isReady()).isEqualTo(length + 2 >= least);
    }

    @Provide
    Arbitrary<Long> counts() {
        Arbitrary<Long> any = Arbitraries.longs().between(0, Long.MAX_VALUE);
        Arbitrary<Long> small = Arbitraries.longs().between(0, 20_000);
        return Combinators.combine(any, small, Arbitraries.of(true, false)).as((a, b, isAny) -> isAny ? a : b);
    }

    @Provide
    Arbitrary<String> patterns() {
        return Arbitraries.strings().withChars('C', 'C', 'C', 'I', '.').ofMaxLength(20);
    }

    private static boolean isTooMuch(BigDecimal part, BigDecimal all, int limit) {
        return all.signum() == 0 || part.movePointRight(4).compareTo(all.multiply(BigDecimal.valueOf(limit))) > 0;
    }

    private static boolean isUnmet(String criterion, Readiness readiness) {
        return readiness.unmet().stream().anyMatch(reason -> reason.contains("(" + criterion + ")"));
    }

    private static String criteriaOf(Readiness readiness) {
        return String.join(
                " ",
                readiness.unmet().stream()
                        .map(reason -> reason.replaceAll("[^(]*\\((m[A-Za-z]+)\\).*", "$1"))
                        .toList());
    }

    private static Evidence day(long checks, long diffs) {
        return new Evidence(List.of(new EvidenceDay(TODAY.minusDays(1), 1, 0, checks, diffs, true)));
    }

    private static Evidence days(String pattern) {
        return days(pattern, 10_000, TODAY.minusDays(1));
    }

    private static Evidence days(String pattern, long each, LocalDate last) {
        return new Evidence(IntStream.range(0, pattern.length())
                .filter(i -> pattern.charAt(i) != '.')
                .mapToObj(i -> new EvidenceDay(
                        last.minusDays(pattern.length() - 1L - i), each, 0, each, 0, pattern.charAt(i) == 'C'))
                .toList());
    }
}
