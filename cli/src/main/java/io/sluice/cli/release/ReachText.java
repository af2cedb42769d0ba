package io.sluice.cli.release;

import io.sluice.core.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Which processes a release has not reached, for people.
 *
 * <pre>
 *   abort not complete: 2 processes are not known to have applied it: order@10.0.0.7:8080, user@10.0.0.9:8080
 *   unreached: order@10.0.0.7:8080
 * </pre>
 */
final class ReachText {
    /** Where an abort leads to. In other phases the next look says more than who is a moment behind. */
    private static final Set<String> TAKEN_BACK = Set.of("aborted", "returned");

    private ReachText() {}

    /** A line for each kind of which there are any. Nothing in them can act on a terminal. */
    static List<String> of(JsonNode release) {
        List<String> lines = new ArrayList<>();
        int unapplied = release.path("unapplied").size();
        if (unapplied > 0 && TAKEN_BACK.contains(ReleaseLine.text(release, "phase"))) {
            lines.add("  abort not complete: " + unapplied + (unapplied == 1 ? " process is" : " processes are")
                    + " not known to have applied it: " + names(release, "unapplied"));
        }
        if (!release.path("unreached").isEmpty()) {
            lines.add("  unreached: " + names(release, "unreached"));
        }
        return lines.stream().map(Problem::escaped).toList();
    }

    /** The same under a line. */
    static List<String> under(String line, JsonNode release) {
        return Stream.concat(Stream.of(line), of(release).stream()).toList();
    }

    private static String names(JsonNode release, String field) {
        return release.path(field).valueStream().map(name -> name.asString("")).collect(Collectors.joining(", "));
    }
}
