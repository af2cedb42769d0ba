package io.sluice.cli.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * One metric of a stage as one reporter saw it: a row of the table and, if it was followed, a curve. Numbers that are
 * missing are NaN, texts empty.
 *
 * @param health what the verdict made of it; empty where no verdict speaks of it
 * @param value the evidence at the end, or the number that a source gave
 * @param isOdds whether the value is evidence, and not a number in a unit of its own
 * @param points the value over the stage
 */
record MetricLine(
        String reporter,
        String metric,
        boolean critical,
        String health,
        double canary,
        double canaryBad,
        double stable,
        double stableBad,
        double value,
        double limit,
        boolean isOdds,
        List<Point> points) {
    /** In which the metrics of a reporter are shown; what a plan calls by a name of its own comes after. */
    static final List<String> ORDER =
            List.of("errors", "slow", "slower_p50", "slower_p90", "slower_p99", "sample_ratio");

    /** @param seconds since the stage began */
    record Point(double seconds, double value) {}

    /** What the verdict found and what was only followed; reporters in the order of the server. */
    static List<MetricLine> of(JsonNode stage, JsonNode release) {
        Map<String, MetricLine> lines = new LinkedHashMap<>();
        for (JsonNode finding : Json.items(stage.path("verdict").path("findings"))) {
            lines.put(key(finding), of(finding, release, List.of()));
        }
        for (JsonNode followed : Json.items(stage.path("evidence"))) {
            lines.merge(key(followed), of(followed, release, points(followed.path("points"))), MetricLine::with);
        }
        return lines.values().stream()
                .collect(Collectors.groupingBy(MetricLine::reporter, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .flatMap(each -> each.stream().sorted(Comparator.comparingInt(MetricLine::place)))
                .toList();
    }

    private int place() {
        int place = ORDER.indexOf(metric);
        return place < 0 ? ORDER.size() : place;
    }

    /** What was bad among how many, for both lanes; a sample ratio has customers and counts none of them as bad. */
    String canaryWords() {
        return words(canaryBad, canary);
    }

    String stableWords() {
        return words(stableBad, stable);
    }

    String valueWords() {
        return isOdds ? Words.evidence(value) : Words.number(value);
    }

    String limitWords() {
        return isOdds ? Words.evidence(limit) : Words.number(limit);
    }

    private String words(double bad, double all) {
        boolean isNoCount = !isOdds && all == 0;
        if (isNoCount) {
            return "";
        }
        return metric.equals("sample_ratio") ? Words.customers(all) : Words.share(bad, all);
    }

    /** The verdict's own numbers, so that they fit its health, beside the curve of the other. */
    private MetricLine with(MetricLine followed) {
        boolean hasValue = !Double.isNaN(value);
        return new MetricLine(
                reporter,
                metric,
                critical,
                health,
                canary,
                canaryBad,
                stable,
                stableBad,
                hasValue ? value : followed.value,
                Double.isNaN(limit) ? followed.limit : limit,
                isOdds,
                followed.points);
    }

    private static String key(JsonNode from) {
        return Json.text(from.path("reporter")) + "\n" + Json.text(from.path("metric"));
    }

    private static MetricLine of(JsonNode from, JsonNode release, List<Point> points) {
        String reporter = Json.text(from.path("reporter"));
        String metric = Json.text(from.path("metric"));
        return new MetricLine(
                reporter,
                metric,
                from.path("critical").asBoolean(false),
                Json.text(from.path("health")),
                Json.number(from.path("canary")),
                Json.number(from.path("canaryBad")),
                Json.number(from.path("stable")),
                Json.number(from.path("stableBad")),
                Json.number(from.path("value")),
                Json.number(from.path("limit")),
                !isNumberOfASource(reporter, metric, release),
                points);
    }

    /** A metric of the plan that asks for one number; services have metrics of their own, which may bear the same name. */
    private static boolean isNumberOfASource(String reporter, String metric, JsonNode release) {
        boolean isSource = !reporter.startsWith("(")
                && !Json.texts(release.path("services")).contains(reporter);
        return isSource
                && Json.items(release.path("guard").path("metrics")).stream()
                        .anyMatch(each -> each.has("query")
                                && Json.text(each.path("name")).equals(metric));
    }

    private static List<Point> points(JsonNode from) {
        List<Point> points = new ArrayList<>();
        for (JsonNode pair : Json.items(from)) {
            double seconds = Json.number(pair.path(0));
            double value = Json.number(pair.path(1));
            if (seconds >= 0 && Double.isFinite(value)) {
                points.add(new Point(seconds, value));
            }
        }
        return points;
    }
}
