package io.sluice.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.guard.SortingGuard.Observation;
import io.sluice.core.observation.LaneCounter;
import io.sluice.core.observation.Tally;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;

class GuardPropertyTest {
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Pattern RATES = Pattern.compile("error_rate=([0-9.]+)>([0-9.]+)");

    @Requirement({"B1", "B2", "F29"})
    @Property(tries = 2_000)
    void judgesAsTheSortingGuardDoes(
            @ForAll("requests") List<Observation> requests,
            @ForAll @IntRange(min = 1, max = 150) int minSamples,
            @ForAll("rates") ErrorRate maxErrorRate,
            @ForAll("limits") Duration maxP99) {
        SortingGuard sorting = new SortingGuard(minSamples, maxErrorRate.ppm() / 1e6, maxP99);
        requests.forEach(sorting::record);
        SortingGuard.Verdict expected = sorting.evaluate();

        Verdict verdict = guard(minSamples, maxErrorRate, maxP99).judge(tally(requests, maxP99), Duration.ZERO);

        assertThat(verdict.health() == Health.BREACH).isEqualTo(expected.abort());
        assertThat(shortened(kind(verdict.reason()))).isEqualTo(kind(expected.reason()));
        assertThat(verdict.samples()).isEqualTo(expected.samples());
    }

    @Requirement("B3")
    @Property(tries = 2_000)
    void theShownP99NeverContradictsTheVerdict(
            @ForAll("requests") List<Observation> requests, @ForAll("limits") Duration maxP99) {
        SortingGuard sorting = new SortingGuard(1, 1, maxP99);
        requests.forEach(sorting::record);
        Duration exact = sorting.evaluate().p99();

        Verdict verdict = guard(1, new ErrorRate(1_000_000), maxP99).judge(tally(requests, maxP99), Duration.ZERO);

        assertThat(verdict.p99().compareTo(maxP99) > 0).isEqualTo(verdict.health() == Health.BREACH);
        assertThat(verdict.p99().toMillis() > maxP99.toMillis()).isEqualTo(verdict.health() == Health.BREACH);
        assertThat(verdict.p99().minus(exact).abs()).isLessThanOrEqualTo(allowedError(exact));
    }

    /** Latencies on both sides of the limits, and exactly on them. */
    @Provide
    Arbitrary<List<Observation>> requests() {
        Arbitrary<Duration> latencies = Arbitraries.oneOf(
                Arbitraries.longs().between(0, 1_000_000_000).map(Duration::ofNanos),
                limits(),
                limits().map(limit -> limit.plusNanos(1)),
                Arbitraries.just(Duration.ofMillis(2)));
        Arbitrary<Boolean> failures =
                Arbitraries.frequencyOf(Tuple.of(40, Arbitraries.just(false)), Tuple.of(1, Arbitraries.just(true)));
        return Combinators.combine(latencies, failures)
                .as(Observation::new)
                .list()
                .ofMaxSize(400);
    }

    @Provide
    Arbitrary<Duration> limits() {
        return Arbitraries.of(1L, 5L, 100L, 300L, 999L).map(Duration::ofMillis);
    }

    @Provide
    Arbitrary<ErrorRate> rates() {
        return Arbitraries.of("0", "0.01", "0.02", "0.025", "0.333333", "1").map(ErrorRate::parse);
    }

    private static Guard guard(long minSamples, ErrorRate maxErrorRate, Duration maxP99) {
        return new Guard(new Thresholds(minSamples, maxErrorRate, maxP99, Thresholds.DEFAULT_SILENCE));
    }

    private static Tally tally(List<Observation> requests, Duration slowerThan) {
        LaneCounter counter = new LaneCounter(slowerThan.toNanos());
        requests.forEach(request -> counter.record(request.latency().toNanos(), request.failed()));
        return counter.drain();
    }

    /** Error rates must agree to the letter; P99 is exact on one side only; having nothing is a case of its own here. */
    private static String kind(String reason) {
        return reason.startsWith("p99") ? "p99" : reason.replace("no_data", "insufficient_samples");
    }

    /** The guard takes more than four decimals where these would show a rate equal to the limit that it is over. */
    private static String shortened(String reason) {
        Matcher rates = RATES.matcher(reason);
        return rates.matches()
                ? String.format(
                        Locale.ROOT,
                        "error_rate=%.4f>%.4f",
                        Double.parseDouble(rates.group(1)),
                        Double.parseDouble(rates.group(2)))
                : reason;
    }

    private static Duration allowedError(Duration exact) {
        Duration relative = exact.multipliedBy(16).dividedBy(1_000).plusNanos(1_000);
        return relative.compareTo(MILLISECOND) > 0 ? relative : MILLISECOND;
    }
}
