package io.sluice.bench;

import io.sluice.core.guard.Compared;
import io.sluice.core.guard.ErrorRate;
import io.sluice.core.guard.StageWatch;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.simulation.Chance;
import io.sluice.core.simulation.Delays;
import io.sluice.core.simulation.Failures;
import io.sluice.core.simulation.Frequency;
import io.sluice.core.simulation.IndependentTraffic;
import io.sluice.core.simulation.Load;
import io.sluice.core.simulation.Oracle;
import io.sluice.core.simulation.Run;
import io.sluice.core.simulation.Simulation;
import io.sluice.core.simulation.StickyTraffic;
import io.sluice.core.simulation.TimedTraffic;
import io.sluice.core.simulation.Traffic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * How often the guard takes back a healthy canary, and how soon a bad one: made-up traffic through the guard's own types.
 *
 * <p>A stage is 10,000 canary requests long, 10 a second, in 200 ticks of 5 seconds; stable fails at 0.5 %. Tables go to
 * standard output as Markdown. {@code --check} plays a short form and ends with code 1 when a goal is missed; {@code
 * --only a,c} plays some of the tables, {@code --runs N} each so many times.
 */
public final class GuardBench {
    private static final double BASE = 0.005;
    private static final double CANARY_PER_SECOND = 10;
    private static final Duration STAGE = Duration.ofSeconds(1_000);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration TICK = Duration.ofSeconds(5);
    private static final double REQUESTS_A_TICK = 50;
    private static final long SEED = 20_261_130;
    private static final double CONFIDENCE = 0.99;

    private static final double STRICT = 0.01;
    private static final double LOOSE = 0.05;
    /** One of thirty comparisons, as a plan of five stages and two services has them. */
    private static final double SHARED = 0.01 / 30;

    private static final Thresholds LIMITS =
            new Thresholds(100, ErrorRate.parse("1%"), Duration.ofMillis(77), Thresholds.DEFAULT_SILENCE);
    private static final List<Double> SHARES = List.of(0.01, 0.05, 0.10, 0.25, 0.50);
    private static final List<Double> BROKEN = List.of(0.01, 0.02, 0.06, 0.30);

    private final @Nullable Integer runs;
    private final boolean isShort;
    private final List<String> missed = new ArrayList<>();

    private GuardBench(@Nullable Integer runs, boolean isShort) {
        this.runs = runs;
        this.isShort = isShort;
    }

    public static void main(String[] arguments) {
        List<String> options = List.of(arguments);
        int runsAt = options.indexOf("--runs");
        int onlyAt = options.indexOf("--only");
        String only = onlyAt < 0 ? "abcdef" : options.get(onlyAt + 1);
        boolean isCheck = options.contains("--check");
        GuardBench bench = new GuardBench(runsAt < 0 ? null : Integer.valueOf(options.get(runsAt + 1)), isCheck);

        System.out.printf(Locale.ROOT, "Seed %d.%n", SEED);
        Map<String, Runnable> tables = Map.of(
                "a", bench::falseAborts,
                "b", bench::detection,
                "c", bench::lateBreak,
                "d", bench::sharedFault,
                "e", bench::latency,
                "f", bench::sharedAlpha);
        tables.keySet().stream()
                .sorted()
                .filter(only::contains)
                .forEach(name -> tables.getOrDefault(name, () -> {}).run());

        bench.missed.forEach(System.out::println);
        if (isCheck && !bench.missed.isEmpty()) {
            System.exit(1);
        }
    }

    private void falseAborts() {
        System.out.printf("%n### Healthy canaries taken back, over 10,000 canary requests%n%n"
                + "Upper 99 %% bound in brackets.%n%n"
                + "| traffic | share | runs | hard limit: 100 requests, > 1 %% | detector, alpha 5 %% | detector, alpha 1 %% |%n"
                + "| --- | --- | --- | --- | --- | --- |%n");
        for (double share : isShort ? List.of(0.10) : SHARES) {
            falseAborts(
                    "independent requests", share, 4_000, 1_500, chance -> independent(share, steady(BASE), chance));
        }
        for (StickyTraffic.Crowd crowd : List.of(
                new StickyTraffic.Crowd(2_000, 0.05, 0),
                new StickyTraffic.Crowd(20_000, 0.05, 0),
                new StickyTraffic.Crowd(2_000, 0.05, 5),
                new StickyTraffic.Crowd(20_000, 0.05, 5),
                new StickyTraffic.Crowd(2_000, 0.05, 20))) {
            if (isShort && crowd.retries() != 5) {
                continue;
            }
            String name = String.format(
                    Locale.ROOT,
                    "%,d customers, rho %.2f, %d retries",
                    crowd.customers(),
                    crowd.rho(),
                    crowd.retries());
            for (double share : isShort ? List.of(0.25) : SHARES) {
                falseAborts(
                        name,
                        share,
                        1_500,
                        1_000,
                        chance -> new StickyTraffic(load(share), steady(BASE), crowd, chance));
            }
        }
    }

    private void falseAborts(
            String name, double share, int longRuns, int shortRuns, Function<Chance, Traffic> traffic) {
        List<Run> played = stage(SECOND, STAGE).runs(runs(longRuns, shortRuns), SEED, traffic, run -> false);
        Frequency hard = frequency(played, Run::overLimit);
        Frequency loose = frequency(played, run -> run.worse(Compared.ERRORS, LOOSE));
        Frequency strict = frequency(played, run -> run.worse(Compared.ERRORS, STRICT));
        System.out.printf(
                Locale.ROOT,
                "| %s | %.0f %% | %d | %s | %s | %s |%n",
                name,
                100 * share,
                played.size(),
                percent(hard.rate()),
                withBound(loose),
                withBound(strict));
        goal(loose.upper(CONFIDENCE) <= LOOSE, "false aborts at alpha 5 %", name, share);
        goal(strict.upper(CONFIDENCE) <= STRICT, "false aborts at alpha 1 %", name, share);
    }

    private void detection() {
        System.out.printf("%n### A canary that is bad from the start: canary requests until it is found%n%n"
                + "Median / P90, and the median to that of an oracle that knows both rates.%n%n"
                + "| canary fails at | share | alpha 5 %% | oracle | ratio | alpha 1 %% | oracle | ratio | hard limit |%n"
                + "| --- | --- | --- | --- | --- | --- | --- | --- | --- |%n");
        for (double broken : isShort ? List.of(0.02, 0.06) : BROKEN) {
            for (double share : isShort ? List.of(0.10) : List.of(0.01, 0.05, 0.10, 0.50)) {
                detection(broken, share);
            }
        }
    }

    private void detection(double broken, double share) {
        int times = runs(1_000, 400);
        Duration length = STAGE.multipliedBy(4);
        List<Run> played = stage(SECOND, length)
                .runs(
                        times,
                        SEED,
                        chance -> independent(share, Failures.of(BASE, broken), chance),
                        run -> run.worse(Compared.ERRORS, STRICT).isPresent()
                                && run.overLimit().isPresent());
        StringBuilder row =
                new StringBuilder(String.format(Locale.ROOT, "| %.0f %% | %.0f %% ", 100 * broken, 100 * share));
        for (double alpha : List.of(LOOSE, STRICT)) {
            Delays found = delays(played, run -> run.worse(Compared.ERRORS, alpha));
            Delays oracle = new Oracle(BASE, broken, share, alpha).delays(times, requests(length), SEED);
            row.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | x%.2f ",
                    medianAndP90(found),
                    medianAndP90(oracle),
                    found.median() / oracle.median()));
            goal(
                    found.median() <= 1.8 * oracle.median() + REQUESTS_A_TICK,
                    "detection within 1.8 x oracle + 1 tick at alpha " + percent(alpha),
                    "canary " + percent(broken),
                    share);
        }
        System.out.println(row.append("| ")
                .append(medianAndP90(delays(played, Run::overLimit)))
                .append(" |"));
    }

    private void lateBreak() {
        System.out.printf(
                "%n### A canary that breaks after 5,000 canary requests: how many more until it is found%n%n"
                        + "| canary then fails at | share | alpha 5 %% | alpha 1 %% | hard limit |%n| --- | --- | --- | --- | --- |%n");
        for (double broken : List.of(0.02, 0.06, 0.30)) {
            for (double share : isShort ? List.of(0.10) : List.of(0.01, 0.10, 0.50)) {
                lateBreak(broken, share);
            }
        }
    }

    private void lateBreak(double broken, double share) {
        Failures failures = steady(BASE).until(500, Failures.of(BASE, broken));
        List<Run> played = stage(SECOND, STAGE.multipliedBy(2))
                .runs(
                        runs(1_000, 300),
                        SEED,
                        chance -> independent(share, failures, chance),
                        run -> run.worse(Compared.ERRORS, STRICT).isPresent()
                                && run.overLimit().isPresent());
        Delays strict = since(played, run -> run.worse(Compared.ERRORS, STRICT));
        System.out.printf(
                Locale.ROOT,
                "| %.0f %% | %.0f %% | %s | %s | %s |%n",
                100 * broken,
                100 * share,
                medianAndP90(since(played, run -> run.worse(Compared.ERRORS, LOOSE))),
                medianAndP90(strict),
                medianAndP90(since(played, Run::overLimit)));
        goal(
                broken < 0.05 || share > 0.3 || strict.median() <= 250,
                "late break within 250 canary requests",
                percent(broken),
                share);
    }

    /** The delays after the break, of the runs that had no false alarm before it. */
    private static Delays since(List<Run> played, Function<Run, Optional<Run.Moment>> found) {
        List<Optional<Run.Moment>> moments = played.stream()
                .map(found)
                .filter(moment -> moment.isEmpty() || moment.get().seconds() > 500)
                .toList();
        // By the time: how many requests canary has had by then differs from run to run.
        return Delays.of(moments, moment -> (moment.seconds() - 500) * CANARY_PER_SECOND);
    }

    private void sharedFault() {
        System.out.printf(
                "%n### A fault of something that both lanes use: both fail at 3 %% between the canary requests 2,000 and 3,000%n%n"
                        + "| share | runs | hard limit: 100 requests, > 1 %% | detector, alpha 5 %% | detector, alpha 1 %% |%n| --- | --- | --- | --- | --- |%n");
        Failures failures = steady(BASE).until(200, steady(0.03).until(300, steady(BASE)));
        for (double share : isShort ? List.of(0.10) : SHARES) {
            List<Run> played = stage(SECOND, STAGE)
                    .runs(runs(4_000, 1_500), SEED, chance -> independent(share, failures, chance), run -> false);
            Frequency loose = frequency(played, run -> run.worse(Compared.ERRORS, LOOSE));
            Frequency strict = frequency(played, run -> run.worse(Compared.ERRORS, STRICT));
            System.out.printf(
                    Locale.ROOT,
                    "| %.0f %% | %d | %s | %s | %s |%n",
                    100 * share,
                    played.size(),
                    percent(frequency(played, Run::overLimit).rate()),
                    withBound(loose),
                    withBound(strict));
            goal(loose.upper(CONFIDENCE) <= LOOSE, "aborts by a shared fault at alpha 5 %", "", share);
            goal(strict.upper(CONFIDENCE) <= STRICT, "aborts by a shared fault at alpha 1 %", "", share);
        }
    }

    private void latency() {
        System.out.printf(
                "%n### Latency at 10 %%: lognormal, median 20 ms, sigma 0.5 (P99 64 ms); alpha 1 %%%n%n"
                        + "Share taken back within 10,000 canary requests (median canary requests). Slow is over 77 ms.%n%n"
                        + "| canary | runs | slower_p50 | slower_p90 | slower_p99 | slow |%n| --- | --- | --- | --- | --- | --- |%n");
        ToLongFunction<Chance> stable = chance -> (long) (1e6 * chance.lognormal(20, 0.5));
        latency("the same", true, stable);
        latency("all x1.05", false, chance -> (long) (1.05 * stable.applyAsLong(chance)));
        latency("all x1.2", false, chance -> (long) (1.2 * stable.applyAsLong(chance)));
        latency("all x2", false, chance -> 2 * stable.applyAsLong(chance));
        latency("2 % + 800 ms", false, chance -> stable.applyAsLong(chance) + (chance.happens(0.02) ? 800_000_000 : 0));
    }

    private void latency(String name, boolean isHealthy, ToLongFunction<Chance> canary) {
        ToLongFunction<Chance> stable = chance -> (long) (1e6 * chance.lognormal(20, 0.5));
        List<Compared> metrics = List.of(Compared.SLOWER_P50, Compared.SLOWER_P90, Compared.SLOWER_P99, Compared.SLOW);
        List<Run> played = stage(TICK, STAGE)
                .runs(
                        isHealthy ? runs(2_000, 700) : runs(400, 60),
                        SEED,
                        chance -> new TimedTraffic(load(0.10), stable, canary, LIMITS.maxP99(), chance),
                        run -> metrics.stream()
                                .allMatch(metric -> run.worse(metric, STRICT).isPresent()));
        StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "| %s | %d ", name, played.size()));
        for (Compared metric : metrics) {
            Frequency found = frequency(played, run -> run.worse(metric, STRICT));
            Delays delays = delays(played, run -> run.worse(metric, STRICT));
            row.append(
                    isHealthy
                            ? String.format("| %s ", withBound(found))
                            : String.format("| %s (%s) ", percent(found.rate()), number(delays.median())));
            goal(
                    !isHealthy || found.upper(CONFIDENCE) <= STRICT,
                    "false aborts at alpha 1 % by " + metric.label(),
                    name,
                    0.10);
        }
        System.out.println(row.append('|'));
    }

    private void sharedAlpha() {
        System.out.printf(
                "%n### What sharing alpha costs: canary requests until a bad canary is found, alpha 1 %% at 10 %%%n%n"
                        + "| canary fails at | for one comparison | shared by 30 | ratio of the medians |%n| --- | --- | --- | --- |%n");
        for (double broken : BROKEN) {
            List<Run> played = stage(SECOND, STAGE.multipliedBy(4))
                    .runs(
                            runs(1_000, 300),
                            SEED,
                            chance -> independent(0.10, Failures.of(BASE, broken), chance),
                            run -> run.worse(Compared.ERRORS, SHARED).isPresent());
            Delays alone = delays(played, run -> run.worse(Compared.ERRORS, STRICT));
            Delays shared = delays(played, run -> run.worse(Compared.ERRORS, SHARED));
            System.out.printf(
                    Locale.ROOT,
                    "| %.0f %% | %s | %s | x%.2f |%n",
                    100 * broken,
                    medianAndP90(alone),
                    medianAndP90(shared),
                    shared.median() / alone.median());
        }
    }

    /** Ticks are those of a stage of the usual length, however long it goes on. */
    private static Simulation stage(Duration step, Duration length) {
        return new Simulation(
                StageWatch.Settings.of(STAGE, LIMITS), LIMITS, step, length, List.of(LOOSE, STRICT, SHARED));
    }

    private static Load load(double share) {
        return new Load(share, CANARY_PER_SECOND / share);
    }

    private static Failures steady(double rate) {
        return Failures.of(rate, rate);
    }

    private static Traffic independent(double share, Failures failures, Chance chance) {
        return new IndependentTraffic(load(share), failures, chance);
    }

    private static long requests(Duration length) {
        return (long) (length.toSeconds() * CANARY_PER_SECOND);
    }

    private int runs(int longRuns, int shortRuns) {
        return runs == null ? (isShort ? shortRuns : longRuns) : runs;
    }

    private void goal(boolean isMet, String goal, String traffic, double share) {
        if (!isMet) {
            missed.add(String.format(Locale.ROOT, "missed: %s (%s, share %.0f %%)", goal, traffic, 100 * share));
        }
    }

    private static Frequency frequency(List<Run> played, Function<Run, Optional<Run.Moment>> moment) {
        Predicate<Run> happened = run -> moment.apply(run).isPresent();
        return new Frequency(played.stream().filter(happened).count(), played.size());
    }

    private static Delays delays(List<Run> played, Function<Run, Optional<Run.Moment>> moment) {
        return Delays.of(played.stream().map(moment).toList(), Run.Moment::requests);
    }

    private static String medianAndP90(Delays delays) {
        return number(delays.median()) + " / " + number(delays.quantile(90));
    }

    private static String number(double requests) {
        return Double.isInfinite(requests) ? "never" : String.format(Locale.ROOT, "%.0f", requests);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, share < 0.01 ? "%.2f %%" : "%.1f %%", 100 * share);
    }

    private static String withBound(Frequency frequency) {
        return percent(frequency.rate()) + " (" + percent(frequency.upper(CONFIDENCE)) + ")";
    }
}
