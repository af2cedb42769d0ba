package io.sluice.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Percent;
import io.sluice.core.guard.Alpha;
import io.sluice.core.guard.Baseline;
import io.sluice.core.guard.Compared;
import io.sluice.core.guard.ErrorRate;
import io.sluice.core.guard.Metric;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.release.Pace;
import io.sluice.core.release.Plan;
import io.sluice.core.release.Policy;
import io.sluice.core.release.ReleaseSpec;
import io.sluice.core.release.Stage;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Requirement("C1")
class ReleaseSpecPropertyTest {
    /** So many that every stage of a second has its samples. */
    private static final long PLENTY = 10_000_000;

    @Property(tries = 500)
    void aReleaseReadsBackAsItWas(@ForAll("specs") ReleaseSpec spec) {
        byte[] json = ReleaseSpecJson.write(spec);

        assertThat(ReleaseSpecJson.readStrict(json)).isEqualTo(spec);
        assertThat(ReleaseSpecJson.write(ReleaseSpecJson.readStrict(json))).isEqualTo(json);
        assertThat(new String(json, UTF_8)).doesNotContain("\n");
    }

    @Provide
    Arbitrary<ReleaseSpec> specs() {
        return plans().map(plan -> new ReleaseSpec(
                "r1", "v2", List.of("order"), Bucketing.of(BucketHash.FNV1A, "s"), Set.of("vip-1"), List.of(), plan));
    }

    private static Arbitrary<Plan> plans() {
        Arbitrary<Long> requests = Arbitraries.of(0L, PLENTY);
        return Combinators.combine(
                        stages(), limits(), baselines(), metrics(), policies(), Arbitraries.of(Pace.class), requests)
                .as(Plan::new);
    }

    private static Arbitrary<List<Stage>> stages() {
        Arbitrary<Set<Integer>> points =
                Arbitraries.integers().between(0, 9_999).set().ofMaxSize(8);
        Arbitrary<Duration> holds = durations(Duration.ofSeconds(1000), Duration.ofDays(30));
        Arbitrary<Long> samples = Arbitraries.of(0L, 1L, 1_000L);
        return Combinators.combine(points, holds, holds, samples).as((some, hold, bake, needed) -> {
            List<Stage> stages = new ArrayList<>();
            some.stream().sorted().forEach(point -> stages.add(new Stage(new Percent(point), hold, needed)));
            stages.add(new Stage(Percent.HUNDRED, bake));
            return stages;
        });
    }

    private static Arbitrary<Thresholds> limits() {
        Arbitrary<Duration> windows = Arbitraries.oneOf(
                Arbitraries.just(Duration.ZERO), durations(Duration.ofSeconds(10), Duration.ofHours(24)));
        return Combinators.combine(
                        Arbitraries.longs().between(1, 1_000_000),
                        Arbitraries.integers().between(1_000, 1_000_000).map(ErrorRate::new),
                        durations(Duration.ofMillis(1), Duration.ofMinutes(1)),
                        durations(Duration.ofSeconds(1), Duration.ofHours(1)),
                        windows)
                .as(Thresholds::new);
    }

    private static Arbitrary<Baseline> baselines() {
        return Combinators.combine(
                        Arbitraries.integers().between(1, 500_000).map(Alpha::new),
                        Arbitraries.of(Compared.class).set(),
                        durations(Duration.ofMillis(1), Duration.ofMinutes(10)).injectNull(0.5))
                .as((alpha, critical, objective) ->
                        // Where nothing counts there is no objective either: that is "off".
                        new Baseline(alpha, critical, critical.isEmpty() ? null : objective));
    }

    private static Arbitrary<List<Metric>> metrics() {
        Arbitrary<String> names = Arbitraries.strings()
                .withCharRange('a', 'z')
                .withChars("0123456789_-")
                .ofMinLength(1)
                .ofMaxLength(64);
        // Minus zero is written as zero, which it equals.
        Arbitrary<Double> limits = Arbitraries.doubles().map(limit -> limit + 0.0);
        Arbitrary<Metric.Query> queries = Arbitraries.oneOf(
                Combinators.combine(queryTexts(), limits).as(Metric.Limit::new),
                Combinators.combine(queryTexts(), queryTexts()).as(Metric.Counters::new));
        return Combinators.combine(names, Arbitraries.of(true, false), queries)
                .as(Metric::new)
                .list()
                .uniqueElements(Metric::name)
                .ofMaxSize(5);
    }

    private static Arbitrary<String> queryTexts() {
        return Arbitraries.strings()
                .withCharRange(' ', 'z')
                .withChars("\n\t中😀")
                .ofMaxLength(50)
                .filter(text -> text.codePoints().noneMatch(point -> Character.getType(point) == Character.SURROGATE))
                .map(text -> text + "{lane=\"{{lane}}\"}");
    }

    private static Arbitrary<Policy> policies() {
        return Combinators.combine(
                        Arbitraries.of(Policy.OnBreach.class),
                        Arbitraries.integers().between(1, 10),
                        durations(Duration.ofSeconds(1), Duration.ofDays(30)),
                        Arbitraries.of(Policy.OnHold.class))
                .as(Policy::new);
    }

    private static Arbitrary<Duration> durations(Duration least, Duration most) {
        return Arbitraries.longs().between(least.toMillis(), most.toMillis()).map(Duration::ofMillis);
    }
}
