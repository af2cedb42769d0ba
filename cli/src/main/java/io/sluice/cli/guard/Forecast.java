package io.sluice.cli.guard;

import io.sluice.core.decision.Percent;
import io.sluice.core.guard.Clearance;
import io.sluice.core.guard.Compared;
import io.sluice.core.guard.StageGuard;
import io.sluice.core.guard.StageWatch;
import io.sluice.core.simulation.Delays;
import io.sluice.core.simulation.Frequency;
import io.sluice.core.simulation.Run;
import io.sluice.core.simulation.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the guard will make of one stage, by simulation.
 *
 * @param question what was asked
 * @param hardLimit how often a hard limit takes back a canary that is no worse than stable, within the hold time
 * @param detector how often the comparison with stable does; null where nothing is compared
 * @param breaks what becomes of canaries that are worse
 */
record Forecast(
        Question question, Frequency hardLimit, @Nullable Frequency detector, List<Break> breaks) {
    /** Breaks take longer each than healthy canaries, and need less precision. */
    private static final int RUNS_A_BREAK = 5;

    private static final int LEAST_RUNS = 100;

    /**
     * How often and when a bad canary is found. Times beyond what was simulated are infinite.
     *
     * @param errorRate of canary
     * @param inHold in how many runs within the hold time, by whatever was first
     * @param hardLimit moments of hard limits
     * @param detector likewise of the comparison with stable; null where nothing is compared
     */
    record Break(
            double errorRate,
            Frequency inHold,
            Found hardLimit,
            @Nullable Found detector) {}

    /** When something was found. */
    record Found(Delays requests, Delays seconds) {
        static Found of(List<Optional<Run.Moment>> moments) {
            return new Found(Delays.of(moments, Run.Moment::requests), Delays.of(moments, Run.Moment::seconds));
        }
    }

    /**
     * One stage of one service.
     *
     * @param name for people, like {@code stage 1}
     * @param guard judges it
     * @param hold how long it is held
     * @param service gets the traffic
     * @param breaks error rates of canaries that are worse
     */
    record Question(String name, StageGuard guard, Duration hold, Service service, List<Double> breaks) {
        // Beyond so many looks in the hold time, fewer of them change nothing to be seen.
        private static final int LOOKS = 1_000;

        Percent percent() {
            return guard.asked();
        }

        /** Canary requests that must have come before the stage can be found healthy. */
        long needed() {
            long cleared =
                    guard.clearance() ? Clearance.requestsNeeded(guard.limits().maxErrorRate()) : 0;
            return Math.max(guard.samples(), cleared);
        }

        /** Canary requests that come within the hold time. */
        double expected() {
            return service.canaryPerSecond(percent()) * seconds(hold);
        }

        double secondsNeeded() {
            return needed() / service.canaryPerSecond(percent());
        }

        boolean isJudged() {
            return expected() >= needed();
        }

        boolean isCompared() {
            return !percent().isAllOrNothing() && guard.baseline().critical().contains(Compared.ERRORS);
        }

        StageWatch.Settings settings() {
            return StageWatch.Settings.of(hold, guard.limits());
        }

        /** How often it is looked at here: once a second, or in long stages at least once a tick. */
        Duration step() {
            Duration tick = settings().tick();
            long seconds = Math.max(1, hold.toSeconds() / LOOKS);
            return seconds >= tick.toSeconds() ? tick : Duration.ofSeconds(seconds);
        }

        /** So long a bad canary may take to be found: thrice the hold time, or until it could be judged at last. */
        Duration longest() {
            double most = 30 * seconds(hold);
            double wanted = Math.max(3 * seconds(hold), 1.5 * secondsNeeded());
            return Duration.ofSeconds((long) Math.ceil(Math.min(wanted, most)));
        }

        /** What one run of a healthy canary costs, with its part of the runs of bad ones; see {@link Service#cost}. */
        double cost() {
            return cost(hold) + breaks.size() * cost(longest()) / RUNS_A_BREAK;
        }

        private double cost(Duration length) {
            return service.cost(length.dividedBy(step()), seconds(length));
        }

        private static double seconds(Duration duration) {
            return duration.toMillis() / 1e3;
        }
    }

    /** Plays the stage. */
    static Forecast of(Question question, int runs, long seed) {
        Function<Run, Optional<Run.Moment>> byDetector =
                run -> run.worse(Compared.ERRORS, question.guard().alpha());
        List<Run> healthy = play(question, question.service().baseError(), question.hold(), runs, seed);
        List<Break> breaks = new ArrayList<>();
        for (double rate : question.breaks()) {
            int times = Math.max(LEAST_RUNS, runs / RUNS_A_BREAK);
            List<Run> played = play(question, rate, question.longest(), times, seed);
            Found hardLimit = Found.of(played.stream().map(Run::overLimit).toList());
            Found detector = Found.of(played.stream().map(byDetector).toList());
            boolean isCompared = question.isCompared();
            long inHold = played.stream()
                    .filter(run -> isWithin(question.hold(), run.overLimit())
                            || (isCompared && isWithin(question.hold(), byDetector.apply(run))))
                    .count();
            breaks.add(new Break(rate, new Frequency(inHold, times), hardLimit, isCompared ? detector : null));
        }
        return new Forecast(
                question,
                frequency(healthy, Run::overLimit),
                question.isCompared() ? frequency(healthy, byDetector) : null,
                breaks);
    }

    private static List<Run> play(Question question, double canaryError, Duration length, int runs, long seed) {
        double alpha = question.guard().alpha();
        boolean isHealthy = canaryError == question.service().baseError();
        return new Simulation(question.settings(), question.guard().limits(), question.step(), length, List.of(alpha))
                .runs(
                        runs,
                        seed,
                        chance -> question.service().traffic(question.percent(), canaryError, chance),
                        run -> !isHealthy
                                && run.overLimit().isPresent()
                                && (!question.isCompared()
                                        || run.worse(Compared.ERRORS, alpha).isPresent()));
    }

    private static boolean isWithin(Duration hold, Optional<Run.Moment> moment) {
        return moment.isPresent() && moment.get().seconds() <= Question.seconds(hold);
    }

    private static Frequency frequency(List<Run> runs, Function<Run, Optional<Run.Moment>> moment) {
        return new Frequency(
                runs.stream().filter(run -> moment.apply(run).isPresent()).count(), runs.size());
    }
}
