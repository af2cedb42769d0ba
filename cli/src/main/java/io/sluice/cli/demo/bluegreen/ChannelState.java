package io.sluice.cli.demo.bluegreen;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** How a release of a channel stands, as far as the demo shows it. */
record ChannelState(
        String id,
        String channel,
        String phase,
        String side,
        boolean paused,
        String bluePercent,
        String held,
        String verdict,
        String why,
        boolean wayBack,
        List<String> waitingFor,
        List<Side> sides,
        long crossed) {
    ChannelState {
        waitingFor = List.copyOf(waitingFor);
        sides = List.copyOf(sides);
    }

    /** One color: the versions it runs, and how many of its instances would serve. */
    record Side(String color, String versions, int ready, int instances) {}

    static ChannelState from(JsonNode view) {
        List<String> waitingFor = new ArrayList<>();
        view.path("waitingFor").forEach(each -> waitingFor.add(each.asString("")));
        List<Side> sides = new ArrayList<>();
        view.path("sides").forEach(each -> sides.add(side(each)));
        long hold = view.path("holdMillis").asLong(0);
        JsonNode verdict = view.path("verdict");
        return new ChannelState(
                text(view, "id"),
                text(view, "channel"),
                text(view, "phase"),
                text(view, "side"),
                view.path("paused").asBoolean(false),
                text(view, "bluePercent"),
                hold == 0 ? "" : view.path("heldMillis").asLong(0) / 1000 + "s/" + hold / 1000 + "s",
                text(verdict, "health").equals("HEALTHY")
                        ? ""
                        : (text(verdict, "health") + " " + text(verdict, "reason")).strip(),
                text(view, "why"),
                view.path("wayBack").asBoolean(false),
                waitingFor,
                sides,
                view.path("crossed").asLong(0));
    }

    private static Side side(JsonNode node) {
        List<String> versions = new ArrayList<>();
        node.path("versions").forEach(each -> versions.add(each.asString("")));
        int ready = 0;
        int instances = 0;
        for (JsonNode instance : node.path("instances")) {
            instances++;
            ready += instance.path("ready").asBoolean(false) ? 1 : 0;
        }
        return new Side(text(node, "color"), versions.stream().collect(Collectors.joining("+")), ready, instances);
    }

    private static String text(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isNull() ? "" : value.asString("");
    }

    boolean isOver() {
        return phase.equals("completed") || phase.equals("aborted");
    }

    /** The phase with the side that it is about. */
    String at() {
        return phase + (side.isEmpty() ? "" : " " + side) + (paused ? " (paused)" : "");
    }
}
