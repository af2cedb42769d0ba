package io.sluice.cli.release;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** The report of a release as Markdown, to be pasted into a ticket. What the server left out stays empty. */
final class MarkdownReport {
    private static final int MILLIS = 3;

    private final List<String> lines = new ArrayList<>();

    private MarkdownReport() {}

    static MarkdownReport of(JsonNode report) {
        MarkdownReport markdown = new MarkdownReport();
        markdown.head(report.path("release"), text(report.path("outcome")));
        markdown.stages(report.path("stages"));
        markdown.journal(report.path("journal"));
        return markdown;
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    private void head(JsonNode release, String outcome) {
        JsonNode guard = release.path("guard");
        lines.add("# Release " + text(release.path("id")) + ": " + outcome);
        lines.add("");
        lines.add("- Version " + text(release.path("version")) + " of " + list(release.path("services")));
        lines.add("- Salt `" + text(release.path("salt")) + "`, hash " + text(release.path("hash")));
        lines.add("- Limits: at least " + text(guard.path("minSamples")) + " samples, error rate "
                + text(guard.path("maxErrorRate")) + ", P99 " + text(guard.path("maxP99")));
        if (!text(release.path("why")).isEmpty()) {
            lines.add("- Reason: " + text(release.path("why")));
        }
    }

    private void stages(JsonNode stages) {
        heading("Stages");
        row(
                "Asked %",
                "Achieved %", "Error pp", "Canary", "Stable", "Failed", "P99 ms", "Watched", "Entered", "Verdict");
        row("--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "---", "---");
        for (JsonNode stage : stages) {
            JsonNode asked = stage.has("askedPercent") ? stage.path("askedPercent") : stage.path("percent");
            row(
                    text(asked),
                    text(stage.path("achievedPercent")),
                    text(stage.path("errorPp")),
                    text(stage.path("canary")),
                    text(stage.path("stable")),
                    text(stage.path("failed")),
                    text(stage.path("p99Millis")),
                    seconds(stage.path("watchedMillis")),
                    text(stage.path("enteredAt")),
                    verdict(stage.path("verdict")));
        }
    }

    private void journal(JsonNode entries) {
        heading("Journal");
        row("At", "Who", "Action", "Why", "Outcome", "Verdict");
        row("---", "---", "---", "---", "---", "---");
        for (JsonNode entry : entries) {
            row(
                    text(entry.path("at")),
                    text(entry.path("actor")),
                    text(entry.path("action")),
                    text(entry.path("why")),
                    text(entry.path("outcome")),
                    verdict(entry.path("verdict")));
        }
    }

    private void heading(String title) {
        lines.add("");
        lines.add("## " + title);
        lines.add("");
    }

    private void row(String... cells) {
        lines.add("| " + String.join(" | ", cells) + " |");
    }

    private static String verdict(JsonNode verdict) {
        if (!verdict.isObject()) {
            return "";
        }
        String service = text(verdict.path("service"));
        String about = service.isEmpty() ? "" : service + ": ";
        return text(verdict.path("health")) + " " + about + text(verdict.path("reason"));
    }

    private static String seconds(JsonNode millis) {
        return millis.isIntegralNumber()
                ? BigDecimal.valueOf(millis.asLong(), MILLIS)
                                .stripTrailingZeros()
                                .toPlainString() + " s"
                : "";
    }

    private static String list(JsonNode items) {
        return StreamSupport.stream(items.spliterator(), false)
                .map(MarkdownReport::text)
                .collect(Collectors.joining(", "));
    }

    /** A value on one line, without anything that would end a cell or begin a tag. */
    private static String text(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        String text = value.isValueNode() ? value.asString() : value.toString();
        return text.replaceAll("\\s+", " ")
                .replace("\\", "\\\\")
                .replace("|", "\\|")
                .replace("<", "&lt;");
    }
}
