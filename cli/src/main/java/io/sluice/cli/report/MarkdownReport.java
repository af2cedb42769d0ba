package io.sluice.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The report of a release as Markdown, to be pasted into a ticket. What the server left out stays empty. */
public final class MarkdownReport {
    private final List<String> lines = new ArrayList<>();

    private MarkdownReport() {}

    /** Its lines. @param report as the server's API gives it */
    public static List<String> of(JsonNode report) {
        List<StageLine> stages = StageLine.of(report);
        MarkdownReport markdown = new MarkdownReport();
        markdown.head(report.path("release"), text(report.path("outcome")));
        markdown.stages(stages, report.path("stages"), Facts.isOfChannel(report.path("release")));
        markdown.findings(stages);
        markdown.journal(report.path("journal"));
        return List.copyOf(markdown.lines);
    }

    private void head(JsonNode release, String outcome) {
        lines.add("# Release " + text(release.path("id")) + ": " + outcome);
        lines.add("");
        lines.add("- Version " + text(release.path("version")) + " of " + list(release.path("services")));
        if (Facts.isOfChannel(release)) {
            lines.add("- " + escaped(Facts.kind(release)));
        } else {
            lines.add("- Salt `" + text(release.path("salt")) + "`, hash " + text(release.path("hash")));
        }
        Facts.of(release).forEach(fact -> lines.add("- " + fact.name() + ": " + escaped(fact.value())));
        if (!text(release.path("why")).isEmpty()) {
            lines.add("- Reason: " + text(release.path("why")));
        }
    }

    private void stages(List<StageLine> stages, JsonNode from, boolean isOfChannel) {
        if (stages.isEmpty() && isOfChannel) {
            return; // It goes by phases alone, which the journal has.
        }
        heading("Stages");
        row(
                "Asked %",
                "Achieved %",
                "Error pp",
                isOfChannel ? "New side" : "Canary",
                isOfChannel ? "Other side" : "Stable",
                "Failed",
                "P99 ms",
                "Watched",
                "Entered",
                "Verdict");
        row("--:", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "---", "---");
        for (int i = 0; i < stages.size(); i++) {
            StageLine stage = stages.get(i);
            JsonNode raw = from.path(i);
            row(
                    Words.number(stage.asked()),
                    Words.hundredths(stage.achieved()),
                    Words.hundredths(stage.errorPp()),
                    text(raw.path("canary")),
                    text(raw.path("stable")),
                    text(raw.path("failed")),
                    text(raw.path("p99Millis")),
                    stage.watchedWords(),
                    escaped(Json.timeWords(raw.path("enteredAt"))),
                    verdict(stage.verdict(), ""));
        }
    }

    private void findings(List<StageLine> stages) {
        if (stages.stream().allMatch(stage -> stage.metrics().isEmpty())) {
            return;
        }
        heading("Findings");
        row(
                "Stage",
                "Asked %",
                "Seen by",
                "Metric",
                "Canary: bad of all",
                "Stable: bad of all",
                "Evidence",
                "Limit",
                "Counts",
                "Health");
        row("--:", "--:", "---", "---", "--:", "--:", "--:", "--:", "---", "---");
        for (int i = 0; i < stages.size(); i++) {
            for (MetricLine line : stages.get(i).metrics()) {
                row(
                        Integer.toString(i + 1),
                        Words.number(stages.get(i).asked()),
                        escaped(line.reporter()),
                        escaped(line.metric()),
                        line.canaryWords(),
                        line.stableWords(),
                        escaped(line.valueWords()),
                        escaped(line.limitWords()),
                        line.critical() ? "critical" : "shown",
                        escaped(line.health()));
            }
        }
        lines.add("");
        lines.add(Words.HOW_COUNTED);
    }

    private void journal(JsonNode entries) {
        heading("Journal");
        row("At", "Who", "Action", "Why", "Outcome", "Verdict");
        row("---", "---", "---", "---", "---", "---");
        for (JsonNode entry : Json.items(entries)) {
            row(
                    escaped(Json.timeWords(entry.path("at"))),
                    text(entry.path("actor")),
                    text(entry.path("action")),
                    text(entry.path("why")),
                    text(entry.path("outcome")),
                    verdict(entry.path("verdict"), Json.text(entry.path("why"))));
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

    /** @param why what stands beside it and need not be said again */
    private static String verdict(JsonNode verdict, String why) {
        if (!verdict.isObject()) {
            return "";
        }
        String reason = escaped(StageLine.reasonBeside(verdict, why));
        return text(verdict.path("health")) + (reason.isEmpty() ? "" : " " + reason);
    }

    private static String list(JsonNode items) {
        return Json.items(items).stream().map(MarkdownReport::text).collect(Collectors.joining(", "));
    }

    private static String text(JsonNode value) {
        return escaped(Json.text(value));
    }

    /** On one line, without anything that would end a cell or begin a tag. */
    private static String escaped(String text) {
        return text.replaceAll("\\s+", " ")
                .replace("\\", "\\\\")
                .replace("|", "\\|")
                .replace("<", "&lt;");
    }
}
