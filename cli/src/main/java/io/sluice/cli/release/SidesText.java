package io.sluice.cli.release;

import io.sluice.core.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Both sides of a channel for people, with a bar for each share.
 *
 * <pre>
 *   blue     5%  |#                   |  v2  3 of 3 ready, 3 registered, 12.5 requests/s
 *   green   95%  |################### |  v1  3 of 3 ready, 3 registered, 230.1 requests/s
 * </pre>
 */
public final class SidesText {
    private static final int BAR = 20;

    private SidesText() {}

    /** A line a side, and one for each instance that gets too much. Nothing in them can act on a terminal. */
    public static List<String> of(JsonNode sides) {
        List<String> lines = new ArrayList<>();
        for (JsonNode side : sides) {
            lines.add(Problem.escaped(line(side)));
        }
        for (JsonNode side : sides) {
            for (JsonNode instance : side.path("instances")) {
                if (instance.path("imbalance").isNumber()) {
                    lines.add(Problem.escaped(
                            "  imbalance: " + instance.path("instance").asString("") + " gets "
                                    + instance.path("imbalance").asString("") + " times its planned "
                                    + instance.path("plannedShare").asString("") + "%"));
                }
            }
        }
        return lines;
    }

    private static String line(JsonNode side) {
        String color = side.path("color").asString("");
        JsonNode share = side.path("share");
        String shown = share.isNumber()
                ? String.format(Locale.ROOT, "%6s%%  |%s|", share.asString(""), bar(share.doubleValue()))
                : " ".repeat(9 + BAR + 2);
        String versions = side.path("versions")
                .valueStream()
                .map(version -> version.asString(""))
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "  %-8s%s  %s",
                color.isEmpty() ? "no color" : color,
                shown,
                (versions.isEmpty() ? "" : versions + "  ") + instances(side.path("instances")));
    }

    /** At least one sign for a share that is not nothing, and never all of them for one that is not all. */
    private static String bar(double share) {
        long signs = Math.round(share * BAR / 100);
        if (share > 0 && share < 100) {
            signs = Math.max(1, Math.min(BAR - 1, signs));
        }
        int filled = (int) Math.max(0, Math.min(BAR, signs));
        return "#".repeat(filled) + " ".repeat(BAR - filled);
    }

    private static String instances(JsonNode instances) {
        if (instances.isEmpty()) {
            return "no instances";
        }
        double perSecond = instances
                .valueStream()
                .mapToDouble(instance -> instance.path("requestsPerSecond").asDouble(0))
                .sum();
        return count(instances, "ready") + " of " + instances.size() + " ready, " + count(instances, "registered")
                + " registered, " + String.format(Locale.ROOT, "%.1f", perSecond) + " requests/s";
    }

    private static long count(JsonNode instances, String flag) {
        return instances
                .valueStream()
                .filter(instance -> instance.path(flag).asBoolean(false))
                .count();
    }
}
