package io.sluice.core.release;

import io.sluice.core.decision.Percent;
import io.sluice.core.guard.Baseline;
import io.sluice.core.guard.Clearance;
import io.sluice.core.guard.Metric;
import io.sluice.core.guard.StageGuard;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.problem.DurationWord;
import io.sluice.core.problem.Problems;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How a release shall go.
 *
 * @param stages each larger than the one before, the last one 100 %; the first may be 0 %, for the allowlist alone
 * @param limits the hard limits, in all stages
 * @param baseline what is compared with stable
 * @param metrics what other systems are asked, at most 20
 * @param policy what verdicts lead to
 * @param pace what a stage needs beyond its hold time
 * @param requestsPerSecond what each service gets in both lanes together, as far as known, 1..10000000; 0 if unknown.
 *     With it, a stage that cannot have its samples within its hold time is refused.
 */
public record Plan(
        List<Stage> stages,
        Thresholds limits,
        Baseline baseline,
        List<Metric> metrics,
        Policy policy,
        Pace pace,
        long requestsPerSecond) {
    static final int MOST_STAGES = 100;

    private static final int MOST_METRICS = 20;
    private static final long MOST_REQUESTS = 10_000_000;

    // The last bucket of a histogram begins a little above, and has no end.
    private static final Duration LARGEST_IN_HISTOGRAM = Duration.ofMinutes(1);

    public Plan {
        Problems problems = new Problems();
        requireRising(stages, problems);
        requireMetrics(metrics, problems);
        // No number of requests shows that the rate is under nothing.
        problems.require(
                pace != Pace.EVIDENCE || limits.maxErrorRate().ppm() > 0,
                "pace",
                pace.label(),
                "must be time where maxErrorRate is 0, which no number of requests can show");
        problems.require(
                baseline.slowerThan(limits).equals(limits.maxP99())
                        || limits.maxP99().compareTo(LARGEST_IN_HISTOGRAM) <= 0,
                "baseline.objective",
                DurationWord.of(baseline.slowerThan(limits)),
                "must be left out where maxP99 is over 1m, which a histogram cannot tell");
        problems.require(
                requestsPerSecond >= 0 && requestsPerSecond <= MOST_REQUESTS,
                "requestsPerSecond",
                requestsPerSecond,
                "must be within 1.." + MOST_REQUESTS);
        for (int i = 0; i < stages.size() && requestsPerSecond > 0; i++) {
            requireTime(stages.get(i), i, limits, pace, requestsPerSecond, problems);
        }
        problems.throwIfAny();
        stages = List.copyOf(stages);
        metrics = List.copyOf(metrics);
    }

    /** Stages and limits, and the defaults of everything else. */
    public Plan(List<Stage> stages, Thresholds limits) {
        this(stages, limits, Baseline.DEFAULT, List.of(), Policy.DEFAULT, Pace.TIME, 0);
    }

    /** The usual canary plan, 1, 5, 25, 50 and 100 %, each held alike. */
    public static Plan canary(Duration hold, Thresholds limits) {
        return new Plan(new PlanTemplate.Canary(hold, hold).stages(), limits);
    }

    /**
     * Stages as they may stand in a plan.
     *
     * @return the same
     * @throws io.sluice.core.problem.RefusedException unless each is larger than the one before and the last one is 100 %
     */
    public static List<Stage> requireRising(List<Stage> stages) {
        Problems problems = new Problems();
        requireRising(stages, problems);
        problems.throwIfAny();
        return stages;
    }

    private static void requireRising(List<Stage> stages, Problems problems) {
        problems.require(
                !stages.isEmpty() && stages.size() <= MOST_STAGES,
                "stages",
                stages.size() + " stages",
                "must be 1.." + MOST_STAGES + " stages");
        for (int i = 1; i < stages.size(); i++) {
            Percent before = stages.get(i - 1).percent();
            problems.require(
                    stages.get(i).percent().compareTo(before) > 0,
                    "stages[" + i + "].percent",
                    stages.get(i).percent(),
                    "must be more than the " + before + " before it");
        }
        if (!stages.isEmpty()) {
            Percent last = stages.get(stages.size() - 1).percent();
            problems.require(
                    last.equals(Percent.HUNDRED), "stages[" + (stages.size() - 1) + "].percent", last, "must be 100%");
        }
    }

    /** From where on a request is slow. */
    public Duration slowerThan() {
        return baseline.slowerThan(limits);
    }

    boolean isLast(int stage) {
        return stage == stages.size() - 1;
    }

    /**
     * The guard of one stage. What alpha allows is shared equally by all stages and all critical comparisons, for each
     * service and for the edges together, those of counters that other systems keep among them.
     *
     * @param services how many there are
     * @param byChance see {@link StageGuard#byChance}
     */
    StageGuard guard(int stage, int services, boolean byChance) {
        return guard(stages, stage, services, byChance);
    }

    /** The guard of one of other stages, under the same limits: for what is let in by its own share. */
    public StageGuard guard(List<Stage> others, int stage, int services, boolean byChance) {
        Stage at = others.get(stage);
        int counters =
                (int) metrics.stream().filter(Metric::isComparedCritically).count();
        int own = (services + 1) * Math.max(1, baseline.critical().size());
        long compared =
                others.stream().filter(each -> !each.percent().isAllOrNothing()).count();
        int tests = (int) Math.max(1, compared) * (own + counters);
        return new StageGuard(
                limits,
                samples(at, limits),
                pace == Pace.EVIDENCE,
                baseline,
                baseline.alpha().share(tests),
                at.percent(),
                byChance);
    }

    private static void requireMetrics(List<Metric> metrics, Problems problems) {
        problems.require(
                metrics.size() <= MOST_METRICS,
                "metrics",
                metrics.size() + " metrics",
                "must be at most " + MOST_METRICS);
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < metrics.size(); i++) {
            String name = metrics.get(i).name();
            problems.require(seen.add(name), "metrics[" + i + "].name", name, "must be used once");
        }
    }

    private static void requireTime(
            Stage stage, int index, Thresholds limits, Pace pace, long requestsPerSecond, Problems problems) {
        long needed = Math.max(
                samples(stage, limits), pace == Pace.EVIDENCE ? Clearance.requestsNeeded(limits.maxErrorRate()) : 0);
        double perSecond = requestsPerSecond * (stage.percent().basisPoints() / 10_000.0);
        double seconds = needed / perSecond;
        String least = seconds > 1e9 ? "for ever" : DurationWord.of(Duration.ofSeconds((long) Math.ceil(seconds)));
        boolean isJudged = perSecond == 0 || seconds * 1e9 <= stage.hold().toNanos();
        problems.require(
                isJudged,
                "stages[" + index + "].hold",
                DurationWord.of(stage.hold()),
                "must be at least " + least + " at " + stage.percent() + " of " + requestsPerSecond
                        + " requests a second, to have " + needed + " samples");
    }

    private static long samples(Stage stage, Thresholds limits) {
        return Math.max(stage.samples(), limits.minSamples());
    }
}
