package io.sluice.cli.release;

import io.sluice.core.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * A release of a channel as the API shows it, for people: its line, both sides, what it waits for, and whether there is a
 * way back.
 *
 * <pre>
 * trade-2026-11: admitting blue, blue 5%, stage 2 of 5, held 40s of 1m; HOLD order: insufficient_samples, 17 of 30 samples
 *   blue-green release of trade (inventory, order) to v2
 *   blue     5%  |#                   |  v2  3 of 3 ready, 3 registered, 12.5 requests/s
 *   green   95%  |################### |  v1  3 of 3 ready, 3 registered, 230.1 requests/s
 *   waiting for: 2 of 6 processes have not applied 1.7: order@10.0.0.7:8080
 *   way back: yes
 *   commands: pause, abort
 * </pre>
 */
final class ChannelReleaseText {
    private final JsonNode release;
    private final List<String> lines = new ArrayList<>();

    private ChannelReleaseText(JsonNode release) {
        this.release = release;
    }

    /** Its lines. Nothing in them can act on a terminal. */
    static List<String> of(JsonNode release) {
        ChannelReleaseText text = new ChannelReleaseText(release);
        text.lines.add(ReleaseLine.of(release));
        text.add(
                "",
                ReleaseLine.text(release, "strategy") + " release of " + ReleaseLine.text(release, "channel") + " ("
                        + list("services", release) + ") to " + ReleaseLine.text(release, "version"));
        text.lines.addAll(SidesText.of(release.path("sides")));
        text.each("waiting for", "waitingFor");
        text.wayBack();
        text.lines.addAll(ReachText.of(release));
        for (JsonNode refusal : release.path("refusals")) {
            text.add(
                    "refuses its rules",
                    ReleaseLine.text(refusal, "instance") + ", " + ReleaseLine.text(refusal, "why"));
        }
        long crossed = release.path("crossed").asLong(0);
        text.add("crossed", crossed == 0 ? "" : crossed + " requests came with the other color");
        text.each("advice", "advice");
        text.add("commands", list("allowedCommands", release));
        return List.copyOf(text.lines);
    }

    private void wayBack() {
        if (release.path("wayBack").isBoolean()) {
            String why = ReleaseLine.text(release, "wayBackWhy");
            String said = release.path("wayBack").asBoolean() ? "yes" : "no";
            add("way back", why.isEmpty() ? said : said + ", " + why);
        }
    }

    private void each(String name, String field) {
        release.path(field).valueStream().forEach(item -> add(name, item.asString("")));
    }

    private void add(String name, String said) {
        if (!said.isEmpty()) {
            lines.add(Problem.escaped("  " + (name.isEmpty() ? "" : name + ": ") + said));
        }
    }

    private static String list(String field, JsonNode release) {
        return release.path(field).valueStream().map(item -> item.asString("")).collect(Collectors.joining(", "));
    }
}
