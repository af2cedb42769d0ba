package io.sluice.wire;

import io.sluice.core.guard.Alpha;
import io.sluice.core.guard.Baseline;
import io.sluice.core.guard.Compared;
import io.sluice.core.guard.ErrorRate;
import io.sluice.core.guard.Metric;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.release.Plan;
import io.sluice.core.release.Policy;
import io.sluice.core.release.Policy.OnBreach;
import io.sluice.core.release.Policy.OnHold;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The guard of a release request: hard limits, what is compared, what other systems are asked, and what follows. */
final class GuardJson {
    private static final String OFF = "off";
    private static final long MOST_SAMPLES = 1_000_000_000;
    private static final long MOST_STEP_BACKS = 1_000_000;

    /** Up to here every whole number is a double, too. */
    private static final double LARGEST_EXACT = Fields.LARGEST_WHOLE;

    private GuardJson() {}

    /** What stands under {@code guard}, the same in all stages. */
    record Part(Thresholds limits, Baseline baseline, List<Metric> metrics, Policy policy) {}

    static Part read(Fields in) {
        Read<Thresholds> limits = readLimits(in);
        Read<Baseline> baseline = in.optional(
                "baseline",
                Baseline.DEFAULT,
                field -> in.textOrObject(
                        field, GuardJson::parseBaseline, GuardJson::readBaseline, "must be off or an object"));
        // Names that were used are known while the list is read, so that one used twice is listed beside what else is
        // wrong.
        Set<String> names = new HashSet<>();
        Read<List<Metric>> metrics =
                in.optional("metrics", List.of(), field -> in.objects(field, metric -> readMetric(metric, names)));
        Read<Policy> policy = readPolicy(in);
        return in.end(() -> new Part(limits.get(), baseline.get(), metrics.get(), policy.get()));
    }

    static void write(ObjectNode out, Plan plan) {
        writeLimits(out, plan.limits());
        writeBaseline(out, plan.baseline());
        ArrayNode metrics = out.putArray("metrics");
        plan.metrics().forEach(metric -> writeMetric(metrics.addObject(), metric));
        Policy policy = plan.policy();
        out.put("onBreach", policy.onBreach().label())
                .put("mostStepBacks", policy.mostStepBacks())
                .put("holdLimit", DurationText.format(policy.holdLimit()))
                .put("onHold", policy.onHold().label());
    }

    static void writeLimits(ObjectNode out, Thresholds limits) {
        out.put("minSamples", limits.minSamples())
                .put("maxErrorRate", new BigDecimal(limits.maxErrorRate().fraction()))
                .put("maxP99", DurationText.format(limits.maxP99()))
                .put("maxSilence", DurationText.format(limits.maxSilence()));
        if (!limits.window().isZero()) {
            out.put("window", DurationText.format(limits.window()));
        }
    }

    static Read<Thresholds> readLimits(Fields in) {
        Read<Long> minSamples = in.whole("minSamples", MOST_SAMPLES);
        Read<ErrorRate> maxErrorRate = in.errorRate("maxErrorRate");
        Read<Duration> maxP99 = in.duration("maxP99");
        Read<Duration> maxSilence = in.optional("maxSilence", Thresholds.DEFAULT_SILENCE, in::duration);
        Read<Duration> window = in.optional("window", Duration.ZERO, in::duration);
        return in.together(
                "",
                () -> new Thresholds(
                        minSamples.or(1L),
                        maxErrorRate.or(new ErrorRate(0)),
                        maxP99.or(Duration.ofSeconds(1)),
                        maxSilence.or(Thresholds.DEFAULT_SILENCE),
                        window.or(Duration.ZERO)),
                minSamples,
                maxErrorRate,
                maxP99,
                maxSilence,
                window);
    }

    private static Baseline parseBaseline(String text) {
        if (text.equals(OFF)) {
            return Baseline.OFF;
        }
        throw new RefusedException("", text.isEmpty() ? "empty" : text, "must be off or an object");
    }

    private static Baseline readBaseline(Fields in) {
        Read<Alpha> alpha = in.optional("alpha", Baseline.DEFAULT.alpha(), in::alpha);
        Read<Set<Compared>> critical = in.optional(
                "critical", Baseline.DEFAULT.critical(), field -> in.words(field, Compared.values(), Compared::label));
        boolean hasObjective = in.peek("objective");
        Read<Duration> objective = in.optional("objective", Duration.ZERO, in::duration);
        return in.end(() -> new Baseline(alpha.get(), critical.get(), hasObjective ? objective.get() : null));
    }

    private static void writeBaseline(ObjectNode out, Baseline baseline) {
        if (baseline.equals(Baseline.OFF)) {
            out.put("baseline", OFF);
            return;
        }
        ObjectNode entry = out.putObject("baseline");
        entry.put("alpha", new BigDecimal(baseline.alpha().fraction()));
        if (baseline.objective() != null) {
            entry.put("objective", DurationText.format(baseline.objective()));
        }
        ArrayNode critical = entry.putArray("critical");
        baseline.critical().stream().sorted().map(Compared::label).forEach(critical::add);
    }

    private static Metric readMetric(Fields in, Set<String> names) {
        Read<String> name = in.text("name", text -> requireNew(requireName(text), names));
        Read<Boolean> critical = in.optional("critical", true, in::flag);
        Read<Metric.Query> query = readQuery(in);
        return in.end(() -> new Metric(name.get(), critical.get(), query.get()));
    }

    private static Read<Metric.Query> readQuery(Fields in) {
        boolean isLimit = in.peek("query") || in.peek("max");
        boolean isCounters = in.peek("bad") || in.peek("total");
        if (isLimit == isCounters) {
            List.of("query", "max", "bad", "total").forEach(in::has);
            in.refuse(in.describeNames(), "must have either query and max, or bad and total");
            return Read.refused();
        }
        if (isLimit) {
            Read<String> query = in.text("query");
            Read<Double> max = in.number("max");
            return in.all("", () -> new Metric.Limit(query.get(), max.get()), query, max);
        }
        Read<String> bad = in.text("bad");
        Read<String> total = in.text("total");
        return in.all("", () -> new Metric.Counters(bad.get(), total.get()), bad, total);
    }

    /** By a metric that has nothing else wrong, so that a name is refused beside what is wrong with its query. */
    private static String requireName(String name) {
        return new Metric(name, true, new Metric.Limit("1", 0)).name();
    }

    private static String requireNew(String name, Set<String> names) {
        if (!names.add(name)) {
            throw new RefusedException("", name, "must be used once");
        }
        return name;
    }

    private static void writeMetric(ObjectNode out, Metric metric) {
        out.put("name", metric.name()).put("critical", metric.critical());
        if (metric.query() instanceof Metric.Limit limit) {
            out.put("query", limit.query());
            writeNumber(out, limit.max());
        } else if (metric.query() instanceof Metric.Counters counters) {
            out.put("bad", counters.bad()).put("total", counters.total());
        }
    }

    /** As people write it: 5, not 5.0. */
    private static void writeNumber(ObjectNode out, double max) {
        if (max == Math.rint(max) && Math.abs(max) <= LARGEST_EXACT) {
            out.put("max", (long) max);
        } else {
            out.put("max", max);
        }
    }

    private static Read<Policy> readPolicy(Fields in) {
        Policy usual = Policy.DEFAULT;
        Read<OnBreach> onBreach =
                in.optional("onBreach", usual.onBreach(), field -> in.word(field, OnBreach.values(), OnBreach::label));
        Read<Long> most =
                in.optional("mostStepBacks", (long) usual.mostStepBacks(), field -> in.whole(field, MOST_STEP_BACKS));
        Read<Duration> limit = in.optional("holdLimit", usual.holdLimit(), in::duration);
        Read<OnHold> onHold =
                in.optional("onHold", usual.onHold(), field -> in.word(field, OnHold.values(), OnHold::label));
        return in.together(
                "",
                () -> new Policy(
                        onBreach.or(usual.onBreach()),
                        Math.toIntExact(most.or((long) usual.mostStepBacks())),
                        limit.or(usual.holdLimit()),
                        onHold.or(usual.onHold())),
                onBreach,
                most,
                limit,
                onHold);
    }
}
