package io.sluice.core.channel;

import io.sluice.core.decision.Percent;
import io.sluice.core.problem.DurationWord;
import io.sluice.core.problem.Problems;
import io.sluice.core.release.Plan;
import io.sluice.core.release.Stage;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How a channel's instances get the new version. */
public sealed interface Strategy {
    /** The word for it in files, the API and the console. */
    String label();

    /**
     * Half of the fleet at a time, with colors that never mix: blue is drained, deployed, verified and admitted by the
     * stages of a plan, then green.
     *
     * @param plan the stages of blue, the last one 100 %, with their guard
     * @param green green's stages once it runs the new version too: its own share, each larger than the one before, the
     *     last one 50 %
     * @param extra how many instances each side of a service gets beyond what it has while the release lasts; empty for
     *     none. A service that is not named gets none.
     */
    record BlueGreen(Plan plan, List<Stage> green, Map<String, Integer> extra) implements Strategy {
        private static final int MOST_EXTRA = 1000;
        private static final Percent HALF = Percent.of(50);

        /** @throws io.sluice.core.problem.RefusedException with every problem */
        public BlueGreen {
            Problems problems = new Problems();
            problems.require(!green.isEmpty(), "green", "empty", "must have at least one stage");
            for (int i = 1; i < green.size(); i++) {
                Percent before = green.get(i - 1).percent();
                problems.require(
                        green.get(i).percent().compareTo(before) > 0,
                        "green[" + i + "].percent",
                        green.get(i).percent(),
                        "must be more than the " + before + " before it");
            }
            if (!green.isEmpty()) {
                Percent last = green.get(green.size() - 1).percent();
                problems.require(last.equals(HALF), "green[" + (green.size() - 1) + "].percent", last, "must be 50%");
            }
            problems.require(
                    plan.stages().get(0).percent().compareTo(Percent.ZERO) > 0,
                    "plan.stages[0].percent",
                    plan.stages().get(0).percent(),
                    "must be more than 0%: blue is verified without traffic before its first stage");
            problems.require(
                    plan.metrics().isEmpty(),
                    "plan.metrics",
                    plan.metrics().size() + " metrics",
                    "must be left out: releases of channels are judged by their requests");
            extra.forEach((service, count) -> problems.require(
                    count >= 1 && count <= MOST_EXTRA, "extra." + service, count, "must be within 1.." + MOST_EXTRA));
            problems.throwIfAny();
            green = List.copyOf(green);
            extra = Collections.unmodifiableMap(new TreeMap<>(extra));
        }

        @Override
        public String label() {
            return "blue-green";
        }
    }

    /**
     * A few instances at a time, for services without state whose versions may call each other.
     *
     * @param batches into how many parts the instances are cut, 2..100; at most as many as there are instances
     * @param between how long each batch is watched at least before the next one is taken out
     * @param guard by what it is judged meanwhile; null where nothing is judged, and only time counts
     */
    record Rolling(int batches, Duration between, @Nullable BatchGuard guard) implements Strategy {
        // One batch would be all of them, and nobody left.
        private static final int LEAST = 2;
        private static final int MOST = 100;

        /** @throws io.sluice.core.problem.RefusedException with every problem */
        public Rolling {
            Problems problems = new Problems();
            problems.require(batches >= LEAST && batches <= MOST, "batches", batches, "must be within 2.." + MOST);
            problems.require(!between.isNegative(), "between", DurationWord.of(between), "must not be negative");
            problems.throwIfAny();
        }

        /** One that nothing judges. */
        public Rolling(int batches, Duration between) {
            this(batches, between, null);
        }

        @Override
        public String label() {
            return "rolling";
        }
    }
}
