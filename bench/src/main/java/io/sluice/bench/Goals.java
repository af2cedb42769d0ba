package io.sluice.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** What candidates must reach beside one another. */
record Goals(List<Goal> goals) {
    /** One goal: at most so many times another candidate, and at most so many bytes. */
    record Goal(String name, String against, double times, double bytes) {}

    String table(Map<String, Paired.Cost> costs) {
        StringBuilder out = new StringBuilder(String.format(
                Locale.ROOT,
                "%s %s%n%-34s %12s %12s %6s%n",
                System.getProperty("java.vm.name"),
                System.getProperty("java.version"),
                "one operation",
                "min ns",
                "med ns",
                "B"));
        costs.forEach((name, cost) -> out.append(String.format(
                Locale.ROOT, "%-34s %12.2f %12.2f %6.0f%n", name, cost.nanos(), cost.medianNanos(), cost.bytes())));
        out.append(
                String.format(Locale.ROOT, "%n%-34s %-34s %8s %8s %8s%n", "goal", "against", "at most", "min", "med"));
        for (Goal goal : goals) {
            out.append(String.format(
                    Locale.ROOT,
                    "%-34s %-34s %8.3g %8.3g %8.3g%n",
                    goal.name,
                    goal.against,
                    goal.times,
                    ratio(goal, costs),
                    medianRatio(goal, costs)));
        }
        return out.toString();
    }

    List<String> missed(Map<String, Paired.Cost> costs) {
        List<String> missed = new ArrayList<>();
        for (Goal goal : goals) {
            if (ratio(goal, costs) > goal.times) {
                missed.add("missed: " + goal.name + " against " + goal.against);
            }
            if (cost(goal.name, costs).bytes() > goal.bytes) {
                missed.add("missed: bytes of " + goal.name);
            }
        }
        return missed;
    }

    private static double ratio(Goal goal, Map<String, Paired.Cost> costs) {
        return cost(goal.name, costs).nanos() / cost(goal.against, costs).nanos();
    }

    private static double medianRatio(Goal goal, Map<String, Paired.Cost> costs) {
        return cost(goal.name, costs).medianNanos() / cost(goal.against, costs).medianNanos();
    }

    private static Paired.Cost cost(String name, Map<String, Paired.Cost> costs) {
        return Objects.requireNonNull(costs.get(name), name);
    }
}
