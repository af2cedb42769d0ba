package io.sluice.cli.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Where the release stands, as the server tells it.
 *
 * @param id its name
 * @param phase {@code draft}, {@code ramping}, {@code paused}, {@code completed} or {@code aborted}
 * @param stages the percentages of its plan
 * @param percent the share that its canary gets now
 * @param held how long the present stage has been held
 * @param hold how long it must be
 * @param health what the guard says, empty before it has looked
 * @param verdict the guard's reason, led by the service it is about
 * @param why what it was paused or aborted for
 */
record ReleaseState(
        String id,
        String phase,
        List<String> stages,
        String percent,
        Duration held,
        Duration hold,
        String health,
        String verdict,
        String why) {
    ReleaseState {
        stages = List.copyOf(stages);
    }

    static ReleaseState from(JsonNode view) {
        List<String> stages = new ArrayList<>();
        view.path("plan").path("stages").forEach(stage -> stages.add(text(stage, "percent")));
        JsonNode verdict = view.path("verdict");
        String service = text(verdict, "service");
        return new ReleaseState(
                text(view, "id"),
                text(view, "phase"),
                stages,
                text(view, "percent"),
                millis(view, "heldMillis"),
                millis(view, "holdMillis"),
                text(verdict, "health"),
                (service.isEmpty() ? "" : service + ": ") + text(verdict, "reason"),
                text(view, "why"));
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }

    private static Duration millis(JsonNode node, String field) {
        return Duration.ofMillis(node.path(field).asLong(0));
    }

    boolean isOver() {
        return phase.equals("completed") || phase.equals("aborted");
    }
}
