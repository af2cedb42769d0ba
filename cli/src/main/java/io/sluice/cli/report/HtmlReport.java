package io.sluice.cli.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/**
 * The report of a release as one HTML file that asks for nothing else: no script, no font, no picture from elsewhere, and a
 * policy in its head that forbids them.
 */
public final class HtmlReport {
    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
    private static final String HOW_TO_READ =
            "Evidence is the odds that canary is worse than stable; for sample_ratio, that it has another share of the"
                    + " customers than asked. At the limit a critical metric decides, a shown one does not. The limit"
                    + " leaves room for looking at any time.";
    private static final double BUCKETS_PER_PERCENT = 100;

    private final JsonNode report;
    private final JsonNode release;
    private final List<StageLine> stages;
    private final List<JsonNode> journal;

    private HtmlReport(JsonNode report) {
        this.report = report;
        this.release = report.path("release");
        this.stages = StageLine.of(report);
        this.journal = Json.items(report.path("journal")).stream()
                .sorted(Comparator.comparingDouble(entry -> sequence(entry)))
                .toList();
    }

    /** The whole file. @param report as the server's API gives it */
    public static String of(JsonNode report) {
        HtmlReport html = new HtmlReport(report);
        return "<!DOCTYPE html>\n"
                + Html.of("html").with("lang", "en").add(html.head()).add(html.body());
    }

    private Html head() {
        return Html.of("head")
                .add(Html.of("meta").with("charset", "utf-8"))
                .add(Html.of("meta")
                        .with("http-equiv", "Content-Security-Policy")
                        .with("content", POLICY))
                .add(Html.of("meta").with("name", "viewport").with("content", "width=device-width, initial-scale=1"))
                .add(Html.of("meta").with("name", "color-scheme").with("content", "light dark"))
                .add(Html.of("title", "Release " + of("id") + ": " + outcome()))
                .add(Html.ofStyle(style()));
    }

    private Html body() {
        Html main = Html.of("main").add(title()).add(setUp());
        if (!stages.isEmpty() || !Facts.isOfChannel(release)) {
            main.add(weight()).add(table());
        }
        for (int i = 0; i < stages.size(); i++) {
            main.add(stage(i));
        }
        main.add(Facts.isOfChannel(release) ? sides() : placement()).add(actions());
        main.add(Html.of(
                "footer",
                "Made by sluice release report. Times are in UTC. What the server did not know stays empty."));
        return Html.of("body").add(main);
    }

    /* The head */

    private Html title() {
        Html head = Html.of("header")
                .add(Html.of("p", "Release").with("class", "kicker"))
                .add(Html.of("h1").add(Html.foreign(of("id"))));
        head.add(Html.of("p")
                .with("class", "outcome")
                .add(badge(outcome(), outcome()))
                .add(Html.of("span", " " + ended())));
        String why = of("why");
        return why.isEmpty() ? head : head.add(Html.of("p").with("class", "why").add(Html.foreign(why)));
    }

    private String outcome() {
        return Json.text(report.path("outcome"));
    }

    /** Where and when it ended, and who ended it. */
    private String ended() {
        if (stages.isEmpty()) {
            return "";
        }
        StageLine last = stages.get(stages.size() - 1);
        String at = Double.isFinite(last.asked()) ? "at " + Words.percent(last.asked()) : "";
        Instant begin = stages.get(0).entered();
        Instant end = last.end();
        String after = begin == null || end == null ? "" : " after " + Words.span(Duration.between(begin, end));
        String by = journal.stream()
                .filter(entry -> List.of("abort", "complete").contains(Json.text(entry.path("action"))))
                .reduce((earlier, later) -> later)
                .filter(entry -> !outcome().equals("running"))
                .map(entry -> " by " + Json.text(entry.path("actor")))
                .orElse("");
        return at + after + by;
    }

    private Html setUp() {
        Html list = Html.of("dl").with("class", "facts");
        fact(list, "Kind", Facts.isOfChannel(release) ? Facts.kind(release) : "");
        fact(list, "Version", of("version"));
        fact(list, "Services", String.join(", ", Json.texts(release.path("services"))));
        fact(list, "Began", stages.isEmpty() ? "" : Words.time(stages.get(0).entered()));
        fact(
                list,
                "Ended",
                stages.isEmpty() || outcome().equals("running")
                        ? ""
                        : Words.time(stages.get(stages.size() - 1).end()));
        Facts.of(release).forEach(fact -> fact(list, fact.name(), fact.value()));
        fact(list, "Steps back", of("stepBacks"));
        return Html.of("section").add(list);
    }

    private static void fact(Html list, String name, String value) {
        if (!value.isEmpty()) {
            list.add(Html.of("dt", name)).add(Html.of("dd").add(Html.foreign(value)));
        }
    }

    /* The stages */

    private Html weight() {
        Html section = section("Weight over time");
        Html chart = WeightChart.of(stages, journal, outcome());
        if (chart == null) {
            return section.add(Html.of("p", "The release never had a weight.").with("class", "muted"));
        }
        return section.add(
                Html.of("figure").with("class", "weight-figure").add(chart).add(legend()));
    }

    private static Html legend() {
        Html legend = Html.of("figcaption").text("Verdict at the end of a stage:");
        for (String health : List.of("HEALTHY", "HOLD", "BREACH")) {
            Html mark = Html.of("svg")
                    .with("viewBox", "0 0 16 16")
                    .with("width", 16)
                    .with("height", 16)
                    .with("aria-hidden", "true")
                    .add(Plot.mark(health, 8, 8));
            legend.add(Html.of("span").with("class", "key").add(mark).text(health.toLowerCase(Locale.ROOT)));
        }
        return legend;
    }

    private Html table() {
        Table table = new Table()
                .head("Stage")
                .number("Asked %")
                .number("Achieved %")
                .number("Error, pp")
                .number(Facts.isOfChannel(release) ? "Requests to the new side" : "Canary requests")
                .number(Facts.isOfChannel(release) ? "Requests to the other" : "Stable requests")
                .number("Failed")
                .number("P99, ms")
                .head("Watched")
                .head("Verdict");
        for (int i = 0; i < stages.size(); i++) {
            StageLine stage = stages.get(i);
            table.row(
                    Html.of("a", Integer.toString(i + 1)).with("href", "#stage-" + (i + 1)),
                    text(Words.number(stage.asked())),
                    text(Words.hundredths(stage.achieved())),
                    text(Words.hundredths(stage.errorPp())),
                    text(Words.count(stage.canary())),
                    text(Words.count(stage.stable())),
                    text(Words.count(stage.failed())),
                    text(Words.count(stage.p99Millis())),
                    text(stage.watchedWords()).with("class", "whole"),
                    verdict(stage.verdict()));
        }
        return section("Stages")
                .add(table.html())
                .add(note("Requests are counted where they come in; failed and P99 are canary's."
                        + " Achieved is canary's share of the requests."));
    }

    private Html stage(int index) {
        StageLine stage = stages.get(index);
        Html section = section("Stage " + (index + 1) + ": " + Words.percent(stage.asked()))
                .with("class", "stage")
                .with("id", "stage-" + (index + 1));
        String span = String.join(
                " – ", List.of(Words.time(stage.entered()), stage.left() == null ? "" : Words.time(stage.left())));
        section.add(Html.of("p", span).with("class", "muted"));
        if (stage.verdict().isObject()) {
            section.add(Html.of("p").add(verdict(stage.verdict())).text(" " + numbers(stage.verdict())));
        }
        if (stage.metrics().isEmpty()) {
            boolean nobody = stage.asked() == 0 || stage.asked() == 100;
            return section.add(note(
                    nobody ? "Nothing was compared: all customers were on one lane." : "No comparison was recorded."));
        }
        section.add(findings(stage.metrics()));
        if (stages.stream().limit(index).allMatch(before -> before.metrics().isEmpty())) {
            section.add(note(HOW_TO_READ)).add(note(Words.HOW_COUNTED));
        }
        List<Html> charts = EvidenceChart.of(stage.metrics());
        if (!charts.isEmpty()) {
            section.add(Html.of("div").with("class", "charts").add(charts));
        }
        return section;
    }

    private static String numbers(JsonNode verdict) {
        List<String> numbers = new ArrayList<>();
        number(numbers, "%s samples", verdict.path("samples"));
        number(numbers, "%s failed", verdict.path("failures"));
        number(numbers, "P99 %s ms", verdict.path("p99Millis"));
        return numbers.isEmpty() ? "" : "(" + String.join(", ", numbers) + ")";
    }

    private static void number(List<String> numbers, String words, JsonNode value) {
        String text = Json.text(value);
        if (!text.isEmpty()) {
            numbers.add(words.formatted(text));
        }
    }

    private static Html findings(List<MetricLine> lines) {
        Table table = new Table()
                .head("Seen by")
                .head("Metric")
                .number("Canary: bad of all")
                .number("Stable: bad of all")
                .number("Evidence")
                .number("Limit")
                .head("Counts")
                .head("Health");
        for (MetricLine line : lines) {
            table.row(
                    Html.foreign(line.reporter()),
                    Html.foreign(line.metric()),
                    text(line.canaryWords()),
                    text(line.stableWords()),
                    text(line.valueWords()),
                    text(line.limitWords()),
                    text(line.critical() ? "critical" : "shown"),
                    line.health().isEmpty() ? text("") : badge(line.health(), line.critical() ? line.health() : ""));
        }
        return table.html();
    }

    /* Who was on canary */

    private Html placement() {
        Html section = section("Who was on canary, and why");
        Html order = Html.of("ol");
        double allowed = Json.number(release.path("allow"));
        order.add(Html.of(
                "li",
                Double.isFinite(allowed)
                        ? Words.count(allowed) + (allowed == 1 ? " customer" : " customers")
                                + " on the allowlist: on canary at every stage."
                        : "The allowlist."));
        for (JsonNode rule : Json.items(release.path("rules"))) {
            order.add(Html.of("li", "Rule ")
                    .add(Html.foreign(Json.text(rule.path("name"))))
                    .text(": " + Words.percent(Json.number(rule.path("percent"))) + " of those who match ")
                    .add(Html.of("code", Json.text(rule.path("match")))));
        }
        order.add(Html.of("li", "Everybody else by bucket: the hash ")
                .add(Html.of("code", of("hash")))
                .text(" of the salt ")
                .add(Html.of("code", of("salt")))
                .text(", one zero byte and the customer's id, modulo 10,000. Canary are the buckets under"
                        + " 100 × the asked percentage."));
        section.add(order);
        Table table = new Table().number("Asked %").head("Buckets on canary").head("To look a customer up");
        stages.stream()
                .map(StageLine::asked)
                .filter(Double::isFinite)
                .distinct()
                .sorted()
                .forEach(asked ->
                        table.row(text(Words.number(asked)), text(buckets(asked)), Html.of("code", command(asked))));
        return section.add(table.html())
                .add(note("An allowlisted customer is on canary whatever the bucket says. After an abort nobody is."));
    }

    /** A side of a channel is no lane: whoever was there stayed on one color through all services. */
    private Html sides() {
        return section("Who was on blue, and why")
                .add(Html.of(
                        "p",
                        "By bucket, through all services of the channel: fnv1a-mixed of the release's id, one zero"
                                + " byte and the customer's id, modulo 10,000. Blue are the buckets under 100 × blue's percentage."
                                + " A request without a customer gets its color by chance, one that begins inside the channel has"
                                + " the color of the instance it begins at."));
    }

    private static String buckets(double percent) {
        long count = Math.round(percent * BUCKETS_PER_PERCENT);
        return count <= 0 ? "none" : "0 – " + Words.count(count - 1);
    }

    private String command(double percent) {
        return "echo CUSTOMER | sluice split --hash " + of("hash") + " --salt " + quoted(of("salt")) + " --percent "
                + Words.number(percent);
    }

    /** For a shell, which takes everything but its own quote as it is. */
    private static String quoted(String text) {
        return text.matches("[A-Za-z0-9._-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    /* What was done */

    private Html actions() {
        Table table = new Table()
                .head("At")
                .head("Who")
                .head("Action")
                .head("Why")
                .head("Outcome")
                .head("Verdict");
        for (JsonNode entry : journal) {
            table.row(
                    text(Json.timeWords(entry.path("at"))),
                    Html.foreign(Json.text(entry.path("actor"))),
                    Html.foreign(Json.text(entry.path("action"))),
                    Html.foreign(Json.text(entry.path("why"))),
                    Html.foreign(Json.text(entry.path("outcome"))),
                    verdict(entry.path("verdict"), Json.text(entry.path("why"))));
        }
        return section("What was done").add(table.html());
    }

    /* Parts */

    private String of(String member) {
        return Json.text(release.path(member));
    }

    private static Html section(String title) {
        return Html.of("section").add(Html.of("h2", title));
    }

    private static Html note(String words) {
        return Html.of("p", words).with("class", "muted");
    }

    private static Html text(String words) {
        return Html.of("span", words);
    }

    private static Html badge(String word, String kind) {
        return Html.of("b", word).with("class", "badge " + Words.kind(kind));
    }

    private static Html verdict(JsonNode verdict) {
        return verdict(verdict, "");
    }

    /** @param why what stands beside it and need not be said again */
    private static Html verdict(JsonNode verdict, String why) {
        if (!verdict.isObject()) {
            return text("");
        }
        String health = Json.text(verdict.path("health"));
        Html words = Html.of("span").add(badge(health, health));
        String reason = StageLine.reasonBeside(verdict, why);
        return reason.isEmpty() ? words : words.text(" ").add(Html.foreign(reason));
    }

    private static double sequence(JsonNode entry) {
        double sequence = Json.number(entry.path("seq"));
        return Double.isNaN(sequence) ? 0 : sequence;
    }

    private static String style() {
        try (InputStream css = HtmlReport.class.getResourceAsStream("report.css")) {
            return new String(Objects.requireNonNull(css, "report.css").readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
