package io.sluice.cli.migration;

import io.sluice.cli.terminal.Span;
import io.sluice.core.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A migration as the API shows it, for people. Nothing in the lines can act on a terminal. */
final class MigrationText {
    private static final int BAR = 20;
    private static final int MOST_KEYS = 10;

    private final JsonNode view;

    private MigrationText(JsonNode view) {
        this.view = view;
    }

    /** One line: what is wanted, and whether it is being done. */
    static String summary(JsonNode view) {
        return Problem.escaped(new MigrationText(view).summary());
    }

    /** One line: how far it is. */
    static String progress(JsonNode view) {
        MigrationText text = new MigrationText(view);
        int behind = view.path("behind").asInt(0);
        return Problem.escaped(text.name() + " " + text.percent() + "  " + text.state() + "  " + text.keys()
                + (behind == 0 ? "" : ", " + behind + " behind"));
    }

    /** Everything. */
    static List<String> of(JsonNode view) {
        return new MigrationText(view).lines().stream().map(Problem::escaped).toList();
    }

    /** One line: what is wanted now that was not wanted before. */
    static String change(JsonNode before, JsonNode after) {
        MigrationText from = new MigrationText(before);
        MigrationText to = new MigrationText(after);
        List<String> parts = new ArrayList<>();
        addIfOther(parts, from.percent(), to.percent(), "");
        addLists(parts, "also new", before.path("alsoNew"), after.path("alsoNew"));
        addLists(parts, "held back", before.path("heldBack"), after.path("heldBack"));
        addIfOther(parts, text(before, "keysPerSecond"), text(after, "keysPerSecond"), " keys/s");
        if (from.isPaused() != to.isPaused()) {
            parts.add(to.isPaused() ? "paused" : "no longer paused");
        }
        boolean isPlanAnew = !text(before, "revision").equals(text(after, "revision"));
        if (parts.isEmpty()) {
            parts.add(isPlanAnew ? "the same plan again, so keys that were handed back are tried again" : "no change");
        }
        addIfOther(parts, "revision " + text(before, "revision"), text(after, "revision"), "");
        return to.name() + ": " + String.join(", ", parts) + ", now version " + text(after, "version");
    }

    private static void addIfOther(List<String> parts, String before, String after, String unit) {
        if (!before.equals(after) && !before.equals("revision " + after)) {
            parts.add(before + " -> " + after + unit);
        }
    }

    private static void addLists(List<String> parts, String list, JsonNode before, JsonNode after) {
        Set<String> old = before.valueStream().map(JsonNode::asString).collect(Collectors.toSet());
        Set<String> now = after.valueStream().map(JsonNode::asString).collect(Collectors.toSet());
        long added = now.stream().filter(key -> !old.contains(key)).count();
        long gone = old.stream().filter(key -> !now.contains(key)).count();
        if (added + gone > 0) {
            parts.add(list + " " + added + " added, " + gone + " taken off");
        }
    }

    private String summary() {
        return name() + ": " + percent() + " new, " + state() + "; version " + text(view, "version") + ", revision "
                + text(view, "revision") + ", at most " + text(view, "keysPerSecond") + " keys/s";
    }

    private List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(summary());
        lines.add("  keys       " + keys());
        addKeys(lines, "also new", view.path("alsoNew"));
        addKeys(lines, "held back", view.path("heldBack"));
        addProcesses(lines);
        addDays(lines);
        List<String> unmet = texts(view.path("unmet"));
        lines.add(view.path("ready").asBoolean(false) ? "  ready" : "  not ready, by the usual criteria");
        unmet.forEach(condition -> lines.add("    " + condition));
        return lines;
    }

    private String name() {
        return text(view, "name");
    }

    private String percent() {
        return text(view, "newPercent") + "%";
    }

    private boolean isPaused() {
        return view.path("paused").asBoolean(false);
    }

    private String state() {
        if (isPaused()) {
            return "paused";
        }
        JsonNode progress = view.path("progress");
        return progress.isObject() ? text(progress, "state") : "no mover heard of";
    }

    /** Like {@code |#########...........|  1250 moved, 1247 to move, 3 handed back, 480 keys/s, 2m 36s left}. */
    private String keys() {
        JsonNode progress = view.path("progress");
        if (!progress.isObject()) {
            return "not known";
        }
        long moved = progress.path("moved").asLong(0);
        long toMove = progress.path("toMove").asLong(0);
        long handedBack = progress.path("handedBack").asLong(0);
        JsonNode left = progress.path("secondsLeft");
        return "|" + bar(moved, toMove, handedBack) + "|  "
                + Stream.of(
                                moved + " moved",
                                toMove + " to move",
                                some(handedBack, " handed back"),
                                some(progress.path("frozen").asLong(0), " frozen"),
                                some(progress.path("keysPerSecond").asLong(0), " keys/s"),
                                toMove > 0 && left.isNumber() ? Span.of(left.asLong() * 1000) + " left" : "")
                        .filter(part -> !part.isEmpty())
                        .collect(Collectors.joining(", "));
    }

    private static String some(long count, String what) {
        return count == 0 ? "" : count + what;
    }

    /** {@code #} for moved, {@code .} to move, {@code x} handed back. What is not nothing has a sign at least. */
    private static String bar(long moved, long toMove, long handedBack) {
        double all = (double) moved + toMove + handedBack;
        if (all == 0) {
            return " ".repeat(BAR);
        }
        int done = signs(moved, all);
        int left = signs(toMove, all);
        int back = signs(handedBack, all);
        // What rounding leaves or takes is seen least on the largest.
        int rest = BAR - done - left - back;
        if (moved >= toMove && moved >= handedBack) {
            done += rest;
        } else if (toMove >= handedBack) {
            left += rest;
        } else {
            back += rest;
        }
        return "#".repeat(done) + ".".repeat(left) + "x".repeat(back);
    }

    private static int signs(long part, double all) {
        return part == 0 ? 0 : Math.max(1, (int) (part / all * BAR));
    }

    private static void addKeys(List<String> lines, String list, JsonNode keys) {
        if (!keys.isEmpty()) {
            String more = keys.size() > MOST_KEYS ? " and " + (keys.size() - MOST_KEYS) + " more" : "";
            lines.add(String.format(
                    Locale.ROOT,
                    "  %-9s  %s%s",
                    list,
                    texts(keys).stream().limit(MOST_KEYS).collect(Collectors.joining(", ")),
                    more));
        }
    }

    private void addProcesses(List<String> lines) {
        long revision = view.path("revision").asLong(0);
        lines.add("  processes  " + view.path("processes").size() + ", of which "
                + view.path("behind").asInt(0) + " behind");
        for (JsonNode process : view.path("processes")) {
            long has = process.path("planRevision").asLong(0);
            if (has < revision || !process.path("reached").asBoolean(false)) {
                lines.add("    " + text(process, "reporter") + ": revision " + has + " of " + revision + ", heard "
                        + Span.of(process.path("unheardMillis").asLong(0)) + " ago");
            }
        }
    }

    private void addDays(List<String> lines) {
        lines.add("  evidence   since " + text(view, "observedSince"));
        if (!view.path("days").isEmpty()) {
            lines.add(day("day", "new", "fallbacks", "compared", "different", ""));
        }
        for (JsonNode day : view.path("days")) {
            lines.add(day(
                    text(day, "date"),
                    text(day, "newSuccesses"),
                    text(day, "fallbacks"),
                    text(day, "shadowChecks"),
                    text(day, "shadowDiffs"),
                    day.path("complete").asBoolean(false) ? "" : "  incomplete"));
        }
    }

    private static String day(
            String date, String successes, String fallbacks, String compared, String different, String remark) {
        return String.format(
                Locale.ROOT,
                "    %-10s %12s %10s %10s %10s%s",
                date,
                successes,
                fallbacks,
                compared,
                different,
                remark);
    }

    static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(each -> each.asString("")).toList();
    }
}
