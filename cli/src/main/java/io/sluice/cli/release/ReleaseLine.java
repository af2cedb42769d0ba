package io.sluice.cli.release;

import io.sluice.cli.terminal.Span;
import io.sluice.core.guard.Clearance;
import io.sluice.core.guard.ErrorRate;
import io.sluice.core.guard.StageGuard;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * A release as the API shows it, for people: where it stands, for how long, and what its guard waits for.
 *
 * <pre>r1: ramping 5%, stage 2 of 5, held 40s of 1m; HOLD order: insufficient_samples, 17 of 30 samples</pre>
 *
 * <p>Of a release of a channel, whose phases have sides or batches, the state is like {@code admitting blue 5%} or
 * {@code batch 2 of 4, holding}.
 */
final class ReleaseLine {
    private static final String INSUFFICIENT = "insufficient_samples";

    private static final String SAMPLE_RATIO = "sample_ratio";

    /** Words of which only a finding has the numbers. */
    private static final Set<String> FOUND = Set.of(StageGuard.SAMPLE_RATIO_MISMATCH, StageGuard.SOURCE_ERROR);

    private static final List<String> HEADS = List.of("RELEASE", "STATE", "STAGE", "HELD", "WHY");

    private final JsonNode release;

    private ReleaseLine(JsonNode release) {
        this.release = release;
    }

    /** One line. Nothing in it can act on a terminal. */
    static String of(JsonNode release) {
        ReleaseLine line = new ReleaseLine(release);
        String stage = line.stage().isEmpty() ? "" : "stage " + line.stage();
        String where = joined(", ", line.state(), stage, line.held(), line.stepBacks());
        String said = joined("; ", joined(": ", where, line.why()), line.verdict());
        return Problem.escaped(text(release, "id") + ": " + said);
    }

    /** Lines in columns under a head; none of no releases. Nothing in them can act on a terminal. */
    static List<String> columns(List<JsonNode> releases) {
        List<List<String>> rows = Stream.concat(
                        Stream.of(HEADS), releases.stream().map(each -> new ReleaseLine(each).cells()))
                .toList();
        int[] widths = new int[HEADS.size()];
        rows.forEach(row -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        return releases.isEmpty()
                ? List.of()
                : rows.stream().map(row -> padded(row, widths)).toList();
    }

    private List<String> cells() {
        return Stream.of(
                        text(release, "id"),
                        state(),
                        stage(),
                        joined(", ", held(), stepBacks()),
                        joined("; ", why(), verdict()))
                .map(Problem::escaped)
                .toList();
    }

    private static String padded(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(cells.get(i)).append(" ".repeat(widths[i] - cells.get(i).length() + 2));
        }
        return line.toString().stripTrailing();
    }

    private String state() {
        if (!isOfChannel(release)) {
            return text(release, "phase") + " " + text(release, "percent") + "%";
        }
        String state = joined(
                " ",
                release.path("paused").asBoolean(false) ? "paused" : "",
                release.path("restoring").asBoolean(false) ? "restoring" : "",
                text(release, "phase"),
                text(release, "side"));
        String batch = batch();
        String blue = text(release, "bluePercent");
        if (!batch.isEmpty()) {
            return state + " " + batch;
        }
        return blue.isEmpty() ? state : state + ", blue " + blue + "%";
    }

    /** Whether it releases a channel, half by half or batch by batch, and not a canary. */
    static boolean isOfChannel(JsonNode release) {
        String strategy = text(release, "strategy");
        return !strategy.isEmpty() && !strategy.equals("canary");
    }

    /** Of a rolling release, like {@code 2 of 4, draining}. */
    private String batch() {
        JsonNode batch = release.path("batch");
        return batch.isObject()
                ? (batch.path("index").asInt() + 1) + " of " + text(release, "batches") + ", " + text(batch, "part")
                : "";
    }

    private boolean hasStage() {
        return release.path("stage").isNumber();
    }

    private String stage() {
        if (!hasStage()) {
            return "";
        }
        JsonNode stages = release.path("stages");
        int all = stages.isNumber()
                ? stages.asInt()
                : release.path("plan").path("stages").size();
        return (release.path("stage").asInt() + 1) + " of " + all;
    }

    /** Beyond its hold time a stage is only there because its guard is not content. */
    private String held() {
        boolean isHeldBatch =
                release.path("batch").isObject() && release.path("holdMillis").isNumber();
        if (!hasStage() && !isHeldBatch) {
            return "";
        }
        long held = release.path("heldMillis").asLong();
        long hold = release.path("holdMillis").asLong();
        return held - hold >= 1000
                ? "on hold " + Span.of(held - hold) + " beyond its " + Span.of(hold)
                : "held " + Span.of(Math.min(held, hold)) + " of " + Span.of(hold);
    }

    private String stepBacks() {
        int count = release.path("stepBacks").asInt();
        return count == 0 ? "" : count + (count == 1 ? " step back" : " steps back");
    }

    /** Without what the verdict says anyway. */
    private String why() {
        String why = text(release, "why");
        String reason = reason();
        if (reason.isEmpty() || !why.endsWith(reason)) {
            return why;
        }
        String rest = why.substring(0, why.length() - reason.length());
        return rest.endsWith(": ") ? rest.substring(0, rest.length() - 2) : rest;
    }

    private String verdict() {
        JsonNode verdict = release.path("verdict");
        return verdict.isObject() && !text(verdict, "health").isEmpty()
                ? text(verdict, "health") + " " + reason() + numbers(verdict)
                : "";
    }

    private String reason() {
        JsonNode verdict = release.path("verdict");
        return joined(": ", text(verdict, "service"), text(verdict, "reason"));
    }

    /** What a reason of one word leaves out. */
    private String numbers(JsonNode verdict) {
        String reason = text(verdict, "reason");
        if (reason.equals(INSUFFICIENT)) {
            return missing(verdict);
        }
        if (reason.equals(StageGuard.NO_BASELINE)) {
            return ", no stable traffic to compare with";
        }
        return FOUND.contains(reason) ? found(verdict) : "";
    }

    /** How far it is from enough. */
    private String missing(JsonNode verdict) {
        long samples = verdict.path("samples").asLong();
        long needed = needed();
        return samples < needed
                ? ", " + samples + " of " + needed + " samples"
                : ", " + samples + " samples, of which " + needed + " without failures would do";
    }

    private long needed() {
        JsonNode guard = release.path("guard");
        JsonNode stages = text(release, "side").equals("green")
                ? release.path("green")
                : release.path("plan").path("stages");
        JsonNode stage = stages.path(release.path("stage").asInt());
        long samples = Math.max(
                guard.path("minSamples").asLong(), stage.path("samples").asLong());
        boolean asShown = text(release.path("plan"), "pace").equals("evidence");
        return asShown ? Math.max(samples, clearance(text(guard, "maxErrorRate"))) : samples;
    }

    /** None where a newer server says it in another way: the line is worth more than the number. */
    private static long clearance(String maxErrorRate) {
        try {
            return Clearance.requestsNeeded(ErrorRate.parse(maxErrorRate));
        } catch (RefusedException unknown) {
            return 0;
        }
    }

    /** What the finding says that the verdict rests on: a verdict carries those of all reporters. */
    private static String found(JsonNode verdict) {
        boolean isRatio = text(verdict, "reason").equals(StageGuard.SAMPLE_RATIO_MISMATCH);
        return verdict.path("findings")
                .valueStream()
                .filter(finding -> finding.path("critical").asBoolean(false)
                        && text(finding, "health").equals(text(verdict, "health")))
                .filter(finding -> isRatio
                        ? isRatio(finding) && text(finding, "reporter").equals(text(verdict, "service"))
                        : !isRatio(finding))
                .findFirst()
                .map(finding -> ", " + joined(": ", isRatio ? "" : text(finding, "metric"), text(finding, "reason")))
                .orElse("");
    }

    private static boolean isRatio(JsonNode finding) {
        return text(finding, "metric").equals(SAMPLE_RATIO);
    }

    /** Those that are not empty. */
    private static String joined(String between, String... parts) {
        return String.join(
                between, Stream.of(parts).filter(part -> !part.isEmpty()).toList());
    }

    static String text(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isMissingNode() || value.isNull() ? "" : value.asString();
    }
}
