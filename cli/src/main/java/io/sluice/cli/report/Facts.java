package io.sluice.cli.report;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** What a release was judged by, as names with values; what the server left out is left out. */
final class Facts {
    /** @param value never empty */
    record Fact(String name, String value) {}

    private final List<Fact> facts = new ArrayList<>();

    private Facts() {}

    static List<Fact> of(JsonNode release) {
        JsonNode plan = release.path("plan");
        JsonNode guard = release.path("guard");
        Facts all = new Facts();
        all.add("Plan", plan(plan));
        all.add("Pace", Json.text(plan.path("pace")));
        all.add("Limits", limits(guard));
        all.add("Window", window(guard));
        all.add("Against stable", baseline(guard));
        all.add("Metrics", metrics(guard.path("metrics")));
        all.add("On a breach", onBreach(guard));
        all.add("On hold", onHold(guard));
        return List.copyOf(all.facts);
    }

    private void add(String name, String value) {
        if (!value.isEmpty()) {
            facts.add(new Fact(name, value));
        }
    }

    private static String plan(JsonNode plan) {
        return Json.items(plan.path("stages")).stream().map(Facts::stage).collect(Collectors.joining(" → "));
    }

    private static String stage(JsonNode stage) {
        return Json.text(stage.path("percent")) + " % for " + Json.text(stage.path("hold"))
                + with(" and %s samples", Json.text(stage.path("samples")));
    }

    private static String limits(JsonNode guard) {
        return joined(
                ", ",
                with("at least %s samples", Json.text(guard.path("minSamples"))),
                with("error rate %s", share(guard.path("maxErrorRate"))),
                with("P99 %s", Json.text(guard.path("maxP99"))),
                with("silence %s", Json.text(guard.path("maxSilence"))));
    }

    private static String window(JsonNode guard) {
        if (guard.has("window")) {
            return with("the last %s", Json.text(guard.path("window")));
        }
        return guard.has("maxErrorRate") ? "the whole stage" : "";
    }

    private static String baseline(JsonNode guard) {
        JsonNode baseline = guard.path("baseline");
        if (!baseline.isObject()) {
            return Json.text(baseline);
        }
        String own = with("objective %s", Json.text(baseline.path("objective")));
        String usual = with("objective %s, the limit on P99", Json.text(guard.path("maxP99")));
        return joined(
                "; ",
                with("alpha %s, the chance of a false alarm in the whole release", share(baseline.path("alpha"))),
                with("critical: %s", words(baseline.path("critical"), "nothing")),
                own.isEmpty() ? usual : own);
    }

    private static String metrics(JsonNode metrics) {
        return Json.items(metrics).isEmpty()
                ? words(metrics, "none")
                : Json.items(metrics).stream().map(Facts::metric).collect(Collectors.joining(", "));
    }

    private static String metric(JsonNode metric) {
        String counts = metric.path("critical").asBoolean(true) ? "critical" : "shown";
        String against = metric.has("max") ? "at most " + Json.text(metric.path("max")) : "against stable";
        return Json.text(metric.path("name")) + " (" + counts + ", " + against + ")";
    }

    private static String onBreach(JsonNode guard) {
        String onBreach = Json.text(guard.path("onBreach"));
        return onBreach.equals("step-back")
                ? onBreach + with(", at most %s times, then abort", Json.text(guard.path("mostStepBacks")))
                : onBreach;
    }

    private static String onHold(JsonNode guard) {
        String onHold = Json.text(guard.path("onHold"));
        return onHold.isEmpty() || onHold.equals("wait")
                ? onHold
                : onHold + with(" after %s beyond the hold time", Json.text(guard.path("holdLimit")));
    }

    /** In percent, whether it was written so or as a fraction. */
    private static String share(JsonNode share) {
        if (share.isNumber()) {
            return Words.percent(
                    BigDecimal.valueOf(share.doubleValue()).movePointRight(2).doubleValue());
        }
        return Json.text(share).replaceAll("(?<=[0-9])%$", " %");
    }

    /** @param none for a list without items; what is no list is empty */
    private static String words(JsonNode list, String none) {
        return list.isArray() && list.isEmpty() ? none : String.join(", ", Json.texts(list));
    }

    /** Empty where the value is. */
    private static String with(String words, String value) {
        return value.isEmpty() ? "" : words.formatted(value);
    }

    private static String joined(String between, String... parts) {
        return List.of(parts).stream().filter(part -> !part.isEmpty()).collect(Collectors.joining(between));
    }
}
