package io.sluice.cli.demo.migration;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * What the routers have counted, those that were killed included: of each run of a process what it said last. Used by one thread.
 */
final class RouterFigures {
    private final Map<String, JsonNode> byRun = new LinkedHashMap<>();

    void heard(JsonNode figures) {
        byRun.put(figures.path("reporter").asString(""), figures);
    }

    long fallbacks() {
        return sum("fallbacks");
    }

    long compared() {
        return sum("shadowChecks");
    }

    long different() {
        return sum("shadowDiffs");
    }

    long notCompared() {
        return sum("notCompared");
    }

    /** How often a fence has refused a router, which then went to the right side. */
    long refusals() {
        return sum("behind");
    }

    /** The same for each router, in words. */
    List<String> behind() {
        Map<String, Long> byRouter = new TreeMap<>();
        byRun.forEach((run, figures) -> byRouter.merge(
                run.replaceFirst("@.*", ""), figures.path("behind").asLong(0), Long::sum));
        return byRouter.entrySet().stream()
                .map(each -> each.getKey() + " was behind and put right: " + each.getValue() + " times")
                .toList();
    }

    private long sum(String name) {
        return byRun.values().stream()
                .mapToLong(figures -> figures.path(name).asLong(0))
                .sum();
    }
}
