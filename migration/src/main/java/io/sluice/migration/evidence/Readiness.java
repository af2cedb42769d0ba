package io.sluice.migration.evidence;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Whether the old implementation may go, and if not, why not.
 *
 * @param unmet every condition that is not met, each one sentence with what was seen, the limit and how it was counted;
 *     for people, the words may change
 */
public record Readiness(List<String> unmet) {
    private static final BigInteger WHOLE = BigInteger.valueOf(10_000);

    public Readiness {
        unmet = List.copyOf(unmet);
    }

    public boolean isReady() {
        return unmet.isEmpty();
    }

    static Readiness of(Evidence evidence, ExitCriteria criteria, LocalDate today) {
        BigInteger successes = sum(evidence, EvidenceDay::newSuccesses);
        BigInteger fallbacks = sum(evidence, EvidenceDay::fallbacks);
        BigInteger checks = sum(evidence, EvidenceDay::shadowChecks);
        BigInteger diffs = sum(evidence, EvidenceDay::shadowDiffs);
        List<String> unmet = new ArrayList<>();
        if (successes.compareTo(BigInteger.valueOf(criteria.minNewSuccesses())) < 0) {
            unmet.add("new successes " + successes + " < " + criteria.minNewSuccesses() + " (minNewSuccesses), over "
                    + span(evidence));
        }
        requireRate(
                "fallback rate",
                fallbacks,
                successes.add(fallbacks),
                "requests of the new side (successes and fallbacks) over " + span(evidence),
                criteria.maxFallbackBps(),
                "maxFallbackBps",
                unmet);
        requireRate(
                "shadow difference rate",
                diffs,
                checks,
                "comparisons over " + span(evidence),
                criteria.maxShadowDiffBps(),
                "maxShadowDiffBps",
                unmet);
        Window window = Window.of(evidence.days(), today);
        if (window.days() < criteria.minDays()) {
            unmet.add(
                    "unbroken days " + window.days() + " < " + criteria.minDays() + " (minDays): " + window.because());
        }
        return new Readiness(unmet);
    }

    /** Longs of many days may be more than a long. */
    private static BigInteger sum(Evidence evidence, ToLongFunction<EvidenceDay> count) {
        return evidence.days().stream()
                .map(day -> BigInteger.valueOf(count.applyAsLong(day)))
                .reduce(BigInteger.ZERO, BigInteger::add);
    }

    /** Compares by multiplication: a quotient that is cut off lets 10.9 bps pass a limit of 10. */
    private static void requireRate(
            String name,
            BigInteger part,
            BigInteger all,
            String counted,
            int limit,
            String criterion,
            List<String> unmet) {
        String of = part + " of " + all + " " + counted;
        if (all.signum() == 0) {
            unmet.add(name + " not known, limit " + limit + " bps (" + criterion + "): " + of
                    + ", and no evidence is never ready");
        } else if (part.multiply(WHOLE).compareTo(all.multiply(BigInteger.valueOf(limit))) > 0) {
            unmet.add(name + " " + bps(part, all) + " bps > " + limit + " bps (" + criterion + "): " + of);
        }
    }

    /** Rounded up, so that what is above a limit also reads so. */
    private static String bps(BigInteger part, BigInteger all) {
        return new BigDecimal(part.multiply(WHOLE))
                .divide(new BigDecimal(all), 2, RoundingMode.UP)
                .toPlainString();
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
