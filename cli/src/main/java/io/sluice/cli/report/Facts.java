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
        all.add("Deployer", Json.text(release.path("deployer")));
        all.add("Check", Json.text(release.path("check")));
        all.add("Waits", waits(release.path("waits")));
        all.add("More instances a side", extra(release.path("extra")));
        all.add("Batches", batches(release));
        all.add("Plan", plan(plan));
        all.add("Green", stages(release.path("green")));
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
        return stages(plan.path("stages"));
    }

    private static String stages(JsonNode stages) {
        return Json.items(stages).stream().map(Facts::stage).collect(Collectors.joining(" → "));
    }

    private static String waits(JsonNode waits) {
        return joined(
                ", ",
                with("%s for requests under way", Json.text(waits.path("grace"))),
                with("%s of silence", Json.text(waits.path("quiet"))),
                with("%s for callers to learn of instances", Json.text(waits.path("spread"))),
                with("a deployment within %s", Json.text(waits.path("deployWithin"))));
    }

    private static String extra(JsonNode extra) {
        return extra.properties().stream()
                .map(each -> each.getKey() + " " + Json.text(each.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String batches(JsonNode release) {
        return Json.text(release.path("batches")) + with(", %s apart", Json.text(release.path("between")));
    }

    /** Whether it released a channel, and not a canary. */
    static boolean isOfChannel(JsonNode release) {
        return release.has("channel");
    }

    /** Like {@code blue-green release of channel trade}. */
    static String kind(JsonNode release) {
        return Json.text(release.path("strategy")) + " release of channel " + Json.text(release.path("channel"));
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
