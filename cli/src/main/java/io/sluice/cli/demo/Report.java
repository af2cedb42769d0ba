package io.sluice.cli.demo;

import io.sluice.cli.demo.load.Ledger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/** What came of the demo's release, for people. */
final class Report {
    private static final String STAGE = "  %6s %19s %8s %8s %7s %7s %8s  %s";

    private final JsonNode release;
    private final Ledger.Figures client;
    private final OptionalLong abortedAtNanos;

    /**
     * A report.
     *
     * @param release the server's report
     * @param client what the customers saw
     * @param abortedAtNanos when the abort reached this process
     */
    Report(JsonNode release, Ledger.Figures client, OptionalLong abortedAtNanos) {
        this.release = release;
        this.client = client;
        this.abortedAtNanos = abortedAtNanos;
    }

    String text() {
        List<String> lines = new ArrayList<>();
        JsonNode view = release.path("release");
        lines.add("");
        lines.add("release %s of %s: %s".formatted(text(view, "id"), text(view, "version"), text(release, "outcome")));
        if (!text(view, "why").isEmpty()) {
            lines.add("  because " + text(view, "why"));
        }
        lines.add("");
        lines.add(STAGE.formatted("asked", "achieved", "canary", "stable", "failed", "P99", "watched", "verdict"));
        release.path("stages").forEach(stage -> lines.add(stage(stage)));
        lines.add("");
        lines.add("what the customers saw");
        lines.add("  " + Figure.lane("stable", client.stable()));
        lines.add("  " + Figure.lane("canary", client.canary()));
        lines.add("  wrong version: %d   lost requests: %d   fell back to stable: %d"
                .formatted(client.wrong(), client.lost(), client.fallbacks()));
        client.wrongSamples().forEach(sample -> lines.add("    " + sample));
        lines.add("  forged tags: %d, believed: %d".formatted(client.forged(), client.believed()));
        abortedAtNanos.ifPresent(aborted -> lines.addAll(abortTimes(aborted)));
        return String.join("\n", lines);
    }

    /** From the first bad answer of the canary to the last moment at which it had requests; empty without an abort. */
    Optional<Duration> timeToNoCanary() {
        if (abortedAtNanos.isEmpty() || client.firstBadCanary().isEmpty()) {
            return Optional.empty();
        }
        long aborted = abortedAtNanos.getAsLong();
        long after = Math.max(0, client.lastCanarySent().orElse(aborted) - aborted);
        return Optional.of(
                Duration.ofNanos(aborted + after - client.firstBadCanary().getAsLong()));
    }

    boolean isFreeOfWrongVersions() {
        return client.wrong() == 0;
    }

    private static String stage(JsonNode stage) {
        long canary = stage.path("canary").asLong(0);
        JsonNode verdict = stage.path("verdict");
        return STAGE.formatted(
                text(stage, "askedPercent") + "%",
                achieved(stage),
                Figure.count(canary),
                Figure.count(stage.path("stable").asLong(0)),
                Figure.share(stage.path("failed").asLong(0), canary),
                Figure.millis(stage.path("p99Millis").asLong(0)),
                Progress.seconds(Duration.ofMillis(stage.path("watchedMillis").asLong(0))),
                verdict.isObject() ? text(verdict, "health") + " " + text(verdict, "reason") : "");
    }

    private static String achieved(JsonNode stage) {
        return stage.path("achievedPercent").isNumber()
                ? text(stage, "achievedPercent") + "% (off " + text(stage, "errorPp") + ")"
                : "no requests";
    }

    private List<String> abortTimes(long aborted) {
        List<String> lines = new ArrayList<>();
        client.firstBadCanary()
                .ifPresent(bad -> lines.add("  first bad answer of the canary to the abort: "
                        + Progress.seconds(Duration.ofNanos(aborted - bad))));
        long since = client.lastCanarySent().orElse(aborted) - aborted;
        lines.add("  abort to the last request that reached the canary: "
                + (since > 0 ? Duration.ofNanos(since).toMillis() + "ms" : "none came after it"));
        return lines;
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }
}
