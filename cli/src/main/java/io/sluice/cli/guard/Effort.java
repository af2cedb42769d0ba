package io.sluice.cli.guard;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How often, and how much of each stage, is played. Reckoned before anything is, not measured, so that the same input
 * gives the same output.
 *
 * @param runs how often a healthy canary is played
 * @param isCut whether they are fewer than usual, for it to end soon
 * @param costOfAStage what the runs of one stage may cost, in looks; beyond, only the first part of it is played
 * @param counted the number of runs which that is reckoned with
 */
record Effort(int runs, boolean isCut, double costOfAStage, int counted) {
    static final int LEAST_RUNS = 20;
    static final int USUAL_RUNS = 2_000;

    /** What two cores play in about ten seconds, others at work beside them. */
    private static final double LOOKS = 4_000_000;

    /** A minute or two, for those who said how many runs they want. */
    private static final double PATIENT_LOOKS = 30_000_000;

    private static final int PATIENT_RUNS = 100;

    // Runs of bad canaries take longer each than those of healthy ones, and need less precision.
    private static final int RUNS_A_BREAK = 5;
    private static final int LEAST_RUNS_A_BREAK = 100;

    private static final int LEAST_LOOKS = 10;
    private static final double LEAST_PART = 0.01;

    /** @param given the runs that were asked for; null for as many as fit */
    static Effort of(List<Forecast.Question> questions, @Nullable Integer given) {
        int stages = Math.max(1, questions.size());
        if (given != null) {
            return new Effort(given, false, PATIENT_LOOKS / stages, Math.min(given, PATIENT_RUNS));
        }
        int low = LEAST_RUNS;
        int high = USUAL_RUNS;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (questions.stream().mapToDouble(each -> cost(each, middle)).sum() <= LOOKS) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return new Effort(low, low < USUAL_RUNS, LOOKS / stages, LEAST_RUNS);
    }

    int runsOfABreak() {
        return runsOfABreak(runs);
    }

    /** So much of a time is played. */
    Duration played(Forecast.Question question, Duration whole) {
        double weight = counted + (double) question.breaks().size() * runsOfABreak(counted);
        if (cost(question, counted) <= costOfAStage) {
            return whole;
        }
        double looks = Math.max(LEAST_LOOKS, costOfAStage / (weight * costOfALook(question)));
        Duration most = question.step().multipliedBy((long) looks);
        return whole.compareTo(most) <= 0 ? whole : most;
    }

    /** Whether what is played of the stage says anything about it. */
    boolean isEnough(Forecast.Question question) {
        return played(question, question.hold()).toMillis()
                >= LEAST_PART * question.hold().toMillis();
    }

    private static int runsOfABreak(int runs) {
        return Math.min(runs, Math.max(LEAST_RUNS_A_BREAK, runs / RUNS_A_BREAK));
    }

    private static double cost(Forecast.Question question, int runs) {
        double healthy = (double) runs * question.hold().toMillis();
        double bad = (double) question.breaks().size()
                * runsOfABreak(runs)
                * question.longest().toMillis();
        return (healthy + bad) / question.step().toMillis() * costOfALook(question);
    }

    private static double costOfALook(Forecast.Question question) {
        return question.service().costOfALook(question.step());
    }
}
