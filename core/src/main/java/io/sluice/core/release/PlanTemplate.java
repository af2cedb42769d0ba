package io.sluice.core.release;

import io.sluice.core.decision.Percent;
import io.sluice.core.problem.DurationWord;
import io.sluice.core.problem.Problems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A way to get the stages of a plan from a few numbers. A plan keeps the stages, not the template. */
public sealed interface PlanTemplate {
    /** How long a stage is held when nothing else is said. */
    Duration HOLD = Duration.ofMinutes(10);

    /** Each larger than the one before, the last one 100 %, held for the bake time. */
    List<Stage> stages();

    /**
     * 1, 5, 25, 50 and 100 %.
     *
     * @param hold how long each is held
     * @param bake how long the last one is
     */
    record Canary(Duration hold, Duration bake) implements PlanTemplate {
        private static final List<Integer> PERCENT = List.of(1, 5, 25, 50, 100);

        @Override
        public List<Stage> stages() {
            return baked(PERCENT.stream().map(percent -> new Stage(Percent.of(percent), hold)), bake);
        }
    }

    /**
     * From inside to everybody: the allowlist alone; 1 and 5 % over a whole business cycle; 10, 30 and 50 %; 100 %, watched
     * for a while longer. Needs an allowlist, or rules that send somebody to canary.
     *
     * @param internal how long the allowlist is alone
     * @param cycle how long 1 and 5 % last together, half of it each
     * @param hold how long 10, 30 and 50 % are held, each
     * @param bake how long 100 % is watched
     */
    record FourPhases(Duration internal, Duration cycle, Duration hold, Duration bake) implements PlanTemplate {
        /** How long the allowlist is alone when nothing else is said. */
        public static final Duration INTERNAL = Duration.ofHours(1);

        /** A business cycle when nothing else is said. */
        public static final Duration CYCLE = Duration.ofHours(24);

        /** How long 10, 30 and 50 % are held when nothing else is said. */
        public static final Duration WATCH = Duration.ofMinutes(30);

        /** How long 100 % is watched when nothing else is said. */
        public static final Duration BAKE = Duration.ofHours(1);

        private static final Duration LONGEST_CYCLE = Duration.ofDays(60);

        public FourPhases {
            Problems problems = new Problems();
            problems.require(
                    !cycle.isNegative() && cycle.compareTo(LONGEST_CYCLE) <= 0,
                    "cycle",
                    DurationWord.of(cycle),
                    "must be within 0s..60d");
            problems.throwIfAny();
        }

        @Override
        public List<Stage> stages() {
            // Whole milliseconds, since a plan is written down in these.
            Duration half = Duration.ofMillis(cycle.toMillis() / 2);
            return List.of(
                    new Stage(Percent.ZERO, internal),
                    new Stage(Percent.of(1), half),
                    new Stage(Percent.of(5), cycle.minus(half)),
                    new Stage(Percent.of(10), hold),
                    new Stage(Percent.of(30), hold),
                    new Stage(Percent.of(50), hold),
                    new Stage(Percent.HUNDRED, bake));
        }
    }

    /**
     * Equal steps, the last one smaller where they do not come out at 100 %.
     *
     * @param step 1..100 %
     * @param hold how long each is held
     * @param bake how long the last one is
     */
    record Fixed(Percent step, Duration hold, Duration bake) implements PlanTemplate {
        /** The step when nothing else is said. */
        public static final Percent STEP = Percent.of(10);

        public Fixed {
            Problems problems = new Problems();
            problems.require(step.compareTo(Percent.of(1)) >= 0, "step", step, "must be within 1%..100%");
            problems.throwIfAny();
        }

        @Override
        public List<Stage> stages() {
            int size = step.basisPoints();
            int steps = (Percent.HUNDRED.basisPoints() + size - 1) / size;
            return baked(
                    IntStream.rangeClosed(1, steps)
                            .map(i -> Math.min(i * size, Percent.HUNDRED.basisPoints()))
                            .mapToObj(points -> new Stage(new Percent(points), hold)),
                    bake);
        }
    }

    /**
     * Each stage so many times the one before, 100 % last.
     *
     * @param first more than 0 %
     * @param factor 2..100
     * @param hold how long each is held
     * @param bake how long the last one is
     */
    record Exponential(Percent first, int factor, Duration hold, Duration bake) implements PlanTemplate {
        /** The first stage when nothing else is said. */
        public static final Percent FIRST = Percent.of(1);

        /** The factor when nothing else is said. */
        public static final int FACTOR = 2;

        public Exponential {
            Problems problems = new Problems();
            problems.require(!first.equals(Percent.ZERO), "first", first, "must be within 0.01%..100%");
            problems.require(factor >= 2 && factor <= 100, "factor", factor, "must be within 2..100");
            problems.throwIfAny();
        }

        @Override
        public List<Stage> stages() {
            List<Stage> stages = new ArrayList<>();
            int all = Percent.HUNDRED.basisPoints();
            for (int points = first.basisPoints(); points < all; points *= factor) {
                stages.add(new Stage(new Percent(points), hold));
            }
            stages.add(new Stage(Percent.HUNDRED, hold));
            return baked(stages.stream(), bake);
        }
    }

    private static List<Stage> baked(Stream<Stage> stages, Duration bake) {
        return stages.map(stage -> stage.percent().equals(Percent.HUNDRED) ? stage.heldFor(bake) : stage)
                .toList();
    }
}
