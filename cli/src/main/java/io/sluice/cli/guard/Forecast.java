package io.sluice.cli.guard;

import io.sluice.core.decision.Percent;
import io.sluice.core.guard.Clearance;
import io.sluice.core.guard.Compared;
import io.sluice.core.guard.ErrorRate;
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
 * @param played so much of the hold time was played
 * @param hardLimit how often a hard limit takes back a canary that is no worse than stable in that time
 * @param detector how often the comparison with stable does; null where nothing is compared
 * @param peaks of each canary that is no worse, the largest error rate that the limit was held against
 * @param breaks what becomes of canaries that are worse
 */
record Forecast(
        Question question,
        Duration played,
        Frequency hardLimit,
        @Nullable Frequency detector,
        List<Double> peaks,
        List<Break> breaks) {
    /**
     * How often and when a bad canary is found. Times beyond what was simulated are infinite.
     *
     * @param errorRate of canary
     * @param played so long it was played
     * @param inHold in how many runs within the hold time, by whatever was first
     * @param hardLimit moments of hard limits
     * @param detector likewise of the comparison with stable; null where nothing is compared
     */
    record Break(
            double errorRate,
            Duration played,
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
     * @param number the stage's, from 1 on
     * @param of how many there are
     * @param guard judges it
     * @param hold how long it is held
     * @param service gets the traffic
     * @param breaks error rates of canaries that are worse
     */
    record Question(int number, int of, StageGuard guard, Duration hold, Service service, List<Double> breaks) {
        // Beyond so many looks in the hold time, fewer of them change nothing to be seen.
        private static final int LOOKS = 1_000;

        private static final Duration LONG = Duration.ofHours(6);

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
            return requestsIn(hold);
        }

        double requestsIn(Duration time) {
            return service.canaryPerSecond(percent()) * seconds(time);
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

        /**
         * So long a bad canary may take to be found: thrice the hold time, or until it could be judged at last. A stage
         * that is held for very long is long enough.
         */
        Duration longest() {
            if (isJudged() && hold.compareTo(LONG) >= 0) {
                return hold;
            }
            double most = 30 * seconds(hold);
            double wanted = Math.max(3 * seconds(hold), 1.5 * secondsNeeded());
            return Duration.ofSeconds((long) Math.ceil(Math.min(wanted, most)));
        }

        private static double seconds(Duration duration) {
            return duration.toMillis() / 1e3;
        }
    }

    /** Plays the stage. */
    static Forecast of(Question question, Effort effort, long seed) {
        Function<Run, Optional<Run.Moment>> byDetector =
                run -> run.worse(Compared.ERRORS, question.guard().alpha());
        Duration played = effort.played(question, question.hold());
        List<Run> healthy = play(question, question.service().baseError(), played, effort.runs(), seed);
        Duration playedOfBreaks = effort.played(question, question.longest());
        List<Break> breaks = new ArrayList<>();
        for (double rate : question.breaks()) {
            List<Run> bad = play(question, rate, playedOfBreaks, effort.runsOfABreak(), seed);
            Found hardLimit = Found.of(bad.stream().map(Run::overLimit).toList());
            Found detector = Found.of(bad.stream().map(byDetector).toList());
            boolean isCompared = question.isCompared();
            long inHold = bad.stream()
                    .filter(run -> isWithin(question.hold(), run.overLimit())
                            || (isCompared && isWithin(question.hold(), byDetector.apply(run))))
                    .count();
            Frequency found = new Frequency(inHold, effort.runsOfABreak());
            breaks.add(new Break(rate, playedOfBreaks, found, hardLimit, isCompared ? detector : null));
        }
        return new Forecast(
                question,
                played,
                frequency(healthy, Run::overLimit),
                question.isCompared() ? frequency(healthy, byDetector) : null,
                healthy.stream().map(Run::peakErrorRate).toList(),
                breaks);
    }

    /** How often another hard limit would take back a canary that is no worse. */
    Frequency hardLimit(ErrorRate other) {
        long over =
                peaks.stream().filter(peak -> peak > other.ppm() / 1e6 + 1e-12).count();
        return new Frequency(over, peaks.size());
    }

    boolean isPlayedWhole() {
        return played.equals(question.hold());
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
