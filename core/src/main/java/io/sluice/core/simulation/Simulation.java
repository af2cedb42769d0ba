package io.sluice.core.simulation;

import io.sluice.core.guard.Guard;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.Seen;
import io.sluice.core.guard.StageWatch;
import io.sluice.core.guard.Thresholds;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * One stage of a release, played through with made-up traffic by the guard's own {@link StageWatch}, detectors and hard
 * limits. The same seed gives the same runs.
 *
 * @param settings how the stage is followed
 * @param limits the hard limits
 * @param step how often instances report and the guard looks
 * @param length how long the stage goes on
 * @param alphas what a comparison may spend, each tried on the same runs
 */
public record Simulation(
        StageWatch.Settings settings, Thresholds limits, Duration step, Duration length, List<Double> alphas) {
    public Simulation {
        alphas = List.copyOf(alphas);
    }

    /** Plays it so many times, on all processors. */
    public List<Run> runs(int runs, long seed, Function<Chance, Traffic> traffic, Predicate<Run> isOver) {
        return IntStream.range(0, runs)
                .parallel()
                .mapToObj(run -> run(traffic.apply(Chance.of(seed, run)), isOver))
                .toList();
    }

    /** Plays it once. @param isOver asked after every look, to end the run before its time */
    public Run run(Traffic traffic, Predicate<Run> isOver) {
        StageWatch watch = StageWatch.start(settings, 0);
        Guard guard = new Guard(limits);
        Run run = new Run(alphas);
        double seconds = step.toNanos() / 1e9;
        long looks = length.dividedBy(step);
        for (long n = 1; n <= looks && !isOver.test(run); n++) {
            long at = n * step.toNanos();
            traffic.report(
                    (n - 1) * seconds, n * seconds, (instance, lane, report) -> watch.add(instance, lane, report, at));
            Seen seen = watch.look(at);
            boolean isOverLimit = guard.judge(seen.window(), seen.silence()).health() == Health.BREACH;
            if (seen.window().count() >= limits.minSamples()) {
                run.notePeak(seen.window());
            }
            run.note(seen, isOverLimit, n * seconds);
        }
        return run;
    }
}
