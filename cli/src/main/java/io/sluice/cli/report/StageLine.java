package io.sluice.cli.report;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One weight that a release has had. Numbers that are missing are NaN, texts empty.
 *
 * @param asked in percent, as are all shares here
 * @param verdict the last one there; missing when none was written down
 */
record StageLine(
        double asked,
        double achieved,
        double errorPp,
        double canary,
        double stable,
        double failed,
        double p99Millis,
        double watchedMillis,
        @Nullable Instant entered,
        @Nullable Instant left,
        JsonNode verdict,
        List<MetricLine> metrics) {
    static List<StageLine> of(JsonNode report) {
        return Json.items(report.path("stages")).stream()
                .map(stage -> of(stage, report.path("release")))
                .toList();
    }

    private static StageLine of(JsonNode stage, JsonNode release) {
        return new StageLine(
                Json.number(stage.has("askedPercent") ? stage.path("askedPercent") : stage.path("percent")),
                Json.number(stage.path("achievedPercent")),
                Json.number(stage.path("errorPp")),
                Json.number(stage.path("canary")),
                Json.number(stage.path("stable")),
                Json.number(stage.path("failed")),
                Json.number(stage.path("p99Millis")),
                Json.number(stage.path("watchedMillis")),
                Json.time(stage.path("enteredAt")),
                Json.time(stage.path("leftAt")),
                stage.path("verdict"),
                MetricLine.of(stage, release));
    }

    String health() {
        return Json.text(verdict.path("health"));
    }

    /** The reason, led by whom it is about. */
    String reason() {
        return reason(verdict);
    }

    static String reason(JsonNode verdict) {
        String service = Json.text(verdict.path("service"));
        return (service.isEmpty() ? "" : service + ": ") + Json.text(verdict.path("reason"));
    }

    /** The reason where it says anything that neither the verdict's health nor the words beside it say. */
    static String reasonBeside(JsonNode verdict, String why) {
        String reason = reason(verdict);
        return reason.equals("healthy") || why.endsWith(reason) ? "" : reason;
    }

    String watchedWords() {
        return Double.isFinite(watchedMillis) ? Words.span(watched()) : "";
    }

    Duration watched() {
        return Double.isFinite(watchedMillis) ? Duration.ofMillis((long) watchedMillis) : Duration.ZERO;
    }

    /** When it ended, or how far it is known to have gone; null for a stage whose beginning is not known. */
    @Nullable
    Instant end() {
        if (left != null) {
            return left;
        }
        return entered == null ? null : entered.plus(watched());
    }
}
