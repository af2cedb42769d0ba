package io.sluice.core.release;

import io.sluice.core.decision.Percent;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.problem.Problems;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * How a release shall go: its stages, each larger than the one before and the last one 100 %, and the limits that hold
 * in all of them.
 */
public record Plan(List<Stage> stages, Thresholds limits) {
    private static final List<Integer> CANARY = List.of(1, 5, 25, 50, 100);

    public Plan {
        Problems problems = new Problems();
        problems.require(
                !stages.isEmpty() && stages.size() <= 100,
                "stages",
                stages.size() + " stages",
                "must be 1..100 stages");
        for (int i = 1; i < stages.size(); i++) {
            Percent before = stages.get(i - 1).percent();
            problems.require(
                    stages.get(i).percent().compareTo(before) > 0,
                    "stages[" + i + "].percent",
                    stages.get(i).percent(),
                    "must be more than the " + before + " before it");
        }
        if (!stages.isEmpty()) {
            Percent first = stages.get(0).percent();
            problems.require(!first.equals(Percent.ZERO), "stages[0].percent", first, "must be more than 0%");
            Percent last = stages.get(stages.size() - 1).percent();
            problems.require(
                    last.equals(Percent.HUNDRED), "stages[" + (stages.size() - 1) + "].percent", last, "must be 100%");
        }
        problems.throwIfAny();
        stages = List.copyOf(stages);
    }

    /** The usual canary plan, 1, 5, 25, 50 and 100 %, each held alike. */
    public static Plan canary(Duration hold, Thresholds limits) {
        Stream<Stage> stages = CANARY.stream().map(percent -> new Stage(Percent.of(percent), hold));
        return new Plan(stages.toList(), limits);
    }

    boolean isLast(int stage) {
        return stage == stages.size() - 1;
    }
}
