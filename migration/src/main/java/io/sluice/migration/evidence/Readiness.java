package io.sluice.migration.evidence;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Whether the old implementation may go, and if not, why not.
 *
 * @param conditions one for each of the criteria, in their order
 */
public record Readiness(List<Condition> conditions) {
    private static final BigInteger WHOLE = BigInteger.valueOf(10_000);

    public Readiness {
        conditions = List.copyOf(conditions);
    }

    /**
     * One of the criteria, held against the evidence.
     *
     * @param criterion its name, as in {@link ExitCriteria}
     * @param seen what the evidence came to; rates in bps, rounded up to hundredths. Empty when there is nothing to count
     * @param limit of the criteria
     * @param unmet when it is not met: one sentence with what was seen, the limit and how it was counted; for people, the
     *     words may change
     */
    public record Condition(String criterion, Optional<BigDecimal> seen, long limit, Optional<String> unmet) {
        public boolean isMet() {
            return unmet.isEmpty();
        }
    }

    /** The sentence of every condition that is not met. */
    public List<String> unmet() {
        return conditions.stream().flatMap(each -> each.unmet().stream()).toList();
    }

    public boolean isReady() {
        return conditions.stream().allMatch(Condition::isMet);
    }

    static Readiness of(Evidence evidence, ExitCriteria criteria, LocalDate today) {
        BigInteger successes = sum(evidence, EvidenceDay::newSuccesses);
        BigInteger fallbacks = sum(evidence, EvidenceDay::fallbacks);
        BigInteger checks = sum(evidence, EvidenceDay::shadowChecks);
        BigInteger diffs = sum(evidence, EvidenceDay::shadowDiffs);
        Window window = Window.of(evidence.days(), today);
        return new Readiness(List.of(
                atLeast(
                        "minNewSuccesses",
                        successes,
                        criteria.minNewSuccesses(),
                        "new successes " + successes + " < " + criteria.minNewSuccesses() + " (minNewSuccesses), over "
                                + span(evidence)),
                rate(
                        "fallback rate",
                        fallbacks,
                        successes.add(fallbacks),
                        "requests of the new side (successes and fallbacks) over " + span(evidence),
                        criteria.maxFallbackBps(),
                        "maxFallbackBps"),
                rate(
                        "shadow difference rate",
                        diffs,
                        checks,
                        "comparisons over " + span(evidence),
                        criteria.maxShadowDiffBps(),
                        "maxShadowDiffBps"),
                atLeast(
                        "minDays",
                        BigInteger.valueOf(window.days()),
                        criteria.minDays(),
                        "unbroken days " + window.days() + " < " + criteria.minDays() + " (minDays): "
                                + window.because())));
    }

    /** Longs of many days may be more than a long. */
    private static BigInteger sum(Evidence evidence, ToLongFunction<EvidenceDay> count) {
        return evidence.days().stream()
                .map(day -> BigInteger.valueOf(count.applyAsLong(day)))
                .reduce(BigInteger.ZERO, BigInteger::add);
    }

    private static Condition atLeast(String criterion, BigInteger seen, long limit, String unmet) {
        boolean isMet = seen.compareTo(BigInteger.valueOf(limit)) >= 0;
        return new Condition(
                criterion, Optional.of(new BigDecimal(seen)), limit, isMet ? Optional.empty() : Optional.of(unmet));
    }

    /** Compares by multiplication: a quotient that is cut off lets 10.9 bps pass a limit of 10. */
    private static Condition rate(
            String name, BigInteger part, BigInteger all, String counted, int limit, String criterion) {
        String of = part + " of " + all + " " + counted;
        if (all.signum() == 0) {
            String unknown = name + " not known, limit " + limit + " bps (" + criterion + "): " + of
                    + ", and no evidence is never ready";
            return new Condition(criterion, Optional.empty(), limit, Optional.of(unknown));
        }
        BigDecimal bps = bps(part, all);
        boolean isMet = part.multiply(WHOLE).compareTo(all.multiply(BigInteger.valueOf(limit))) <= 0;
        String above = name + " " + bps.toPlainString() + " bps > " + limit + " bps (" + criterion + "): " + of;
        return new Condition(criterion, Optional.of(bps), limit, isMet ? Optional.empty() : Optional.of(above));
    }

    /** Rounded up, so that what is above a limit also reads so. */
    private static BigDecimal bps(BigInteger part, BigInteger all) {
        return new BigDecimal(part.multiply(WHOLE)).divide(new BigDecimal(all), 2, RoundingMode.UP);
    }

    private static String span(Evidence evidence) {
        List<EvidenceDay> days = evidence.days();
        if (days.isEmpty()) {
            return "0 days";
        }
        LocalDate first = days.get(0).date();
        LocalDate last = days.get(days.size() - 1).date();
        return days.size() == 1 ? "1 day, " + first : days.size() + " days, " + first + " to " + last;
    }
}
