package io.sluice.server.observations;

import io.sluice.core.guard.Compared;
import io.sluice.core.guard.Comparison;
import io.sluice.core.guard.Detector;
import io.sluice.core.guard.Finding;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.StageWatch.SavedSide;
import io.sluice.core.guard.Tick;
import io.sluice.core.observation.CustomerSample;
import io.sluice.core.observation.CustomerSketch;
import io.sluice.core.observation.Tally;
import io.sluice.server.observations.EvidenceCurve.Point;
import io.sluice.server.observations.StageEvidence.Counts;
import io.sluice.server.observations.StageEvidence.Curves;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Evidence as text for the columns of a database. Numbers come back as they were, to the last bit. */
final class EvidenceText {
    private static final JsonMapper JSON = new JsonMapper();

    private EvidenceText() {}

    static String write(Counts counts) {
        ObjectNode out = JSON.createObjectNode();
        ArrayNode comparisons = out.putArray("comparisons");
        counts.comparisons().forEach(comparison -> write(comparisons.addObject(), comparison));
        write(out.putObject("canary"), counts.canary());
        write(out.putObject("stable"), counts.stable());
        return out.toString();
    }

    static Counts readCounts(String text) {
        JsonNode in = JSON.readTree(text);
        List<Comparison> comparisons = new ArrayList<>();
        in.path("comparisons").forEach(comparison -> comparisons.add(comparison(comparison)));
        return new Counts(comparisons, side(in.path("canary")), side(in.path("stable")));
    }

    static String write(CustomerSample customers) {
        return customers.level() + ":" + customers.text();
    }

    static CustomerSample readCustomers(String text, int most) {
        int colon = text.indexOf(':');
        return CustomerSample.parse(Integer.parseInt(text.substring(0, colon)), text.substring(colon + 1), most);
    }

    static String write(Curves curves) {
        ObjectNode out = JSON.createObjectNode();
        out.put("began", curves.beganMillis());
        ArrayNode metrics = out.putArray("metrics");
        curves.curves().forEach(curve -> write(metrics.addObject(), curve));
        return out.toString();
    }

    static Curves readCurves(String reporter, String text) {
        JsonNode in = JSON.readTree(text);
        List<EvidenceCurve> curves = new ArrayList<>();
        in.path("metrics").forEach(metric -> curves.add(curve(reporter, metric)));
        return new Curves(in.path("began").asLong(), curves);
    }

    private static void write(ObjectNode out, Comparison comparison) {
        Detector detector = comparison.detector();
        out.put("metric", comparison.metric().label());
        out.put("horizon", detector.horizon());
        out.put("ticks", detector.ticks());
        ArrayNode logs = out.putArray("logs");
        detector.logs().forEach(logs::add);
        write(out.putArray("counts"), comparison.counts());
        write(out.putArray("rising"), comparison.rising());
    }

    private static Comparison comparison(JsonNode in) {
        List<Double> logs = new ArrayList<>();
        in.path("logs").forEach(log -> logs.add(log.asDouble()));
        return new Comparison(
                metric(in.path("metric").asString()),
                Detector.restore(
                        logs, in.path("horizon").asLong(), in.path("ticks").asLong()),
                tick(in.path("counts")),
                tick(in.path("rising")));
    }

    private static Compared metric(String label) {
        return Stream.of(Compared.values())
                .filter(metric -> metric.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the database has evidence of an unknown metric " + label
                        + "; it was written by a newer server"));
    }

    private static void write(ObjectNode out, SavedSide side) {
        Tally requests = side.requests();
        out.put("count", requests.count());
        out.put("failed", requests.failed());
        out.put("slow", requests.slow());
        out.put("latencies", TallyStore.text(requests.latencies()));
        out.put("seen", side.seen().text());
        out.put("anonymous", side.anonymous());
    }

    private static SavedSide side(JsonNode in) {
        Tally requests = new Tally(
                in.path("count").asLong(),
                in.path("failed").asLong(),
                in.path("slow").asLong(),
                TallyStore.latencies(in.path("latencies").asString()));
        return new SavedSide(
                requests,
                CustomerSketch.parse(in.path("seen").asString()),
                in.path("anonymous").asLong());
    }

    private static void write(ObjectNode out, EvidenceCurve curve) {
        Finding last = curve.last();
        out.put("metric", last.metric());
        out.put("critical", last.critical());
        out.put("health", last.health().name());
        out.put("reason", last.reason());
        write(out.putArray("counts"), last.counts());
        // As text, since JSON has neither NaN nor infinity.
        out.put("value", String.valueOf(last.value()));
        out.put("limit", String.valueOf(last.limit()));
        out.put(
                "points",
                curve.points().stream()
                        .map(point -> point.second() + ":" + point.value())
                        .collect(Collectors.joining(",")));
    }

    private static EvidenceCurve curve(String reporter, JsonNode in) {
        Finding last = new Finding(
                reporter,
                in.path("metric").asString(),
                in.path("critical").asBoolean(),
                Health.valueOf(in.path("health").asString()),
                in.path("reason").asString(),
                tick(in.path("counts")),
                Double.parseDouble(in.path("value").asString()),
                Double.parseDouble(in.path("limit").asString()));
        String points = in.path("points").asString();
        return new EvidenceCurve(
                last,
                points.isEmpty()
                        ? List.of()
                        : Stream.of(points.split(",", -1))
                                .map(EvidenceText::point)
                                .toList());
    }

    private static Point point(String pair) {
        int colon = pair.indexOf(':');
        return new Point(Long.parseLong(pair.substring(0, colon)), Double.parseDouble(pair.substring(colon + 1)));
    }

    private static void write(ArrayNode out, Tick tick) {
        out.add(tick.canary()).add(tick.canaryBad()).add(tick.stable()).add(tick.stableBad());
    }

    private static Tick tick(JsonNode in) {
        return new Tick(
                in.path(0).asLong(),
                in.path(1).asLong(),
                in.path(2).asLong(),
                in.path(3).asLong());
    }
}
