package io.sluice.cli.release;

import io.sluice.core.guard.Clearance;
import io.sluice.core.guard.ErrorRate;
import io.sluice.core.problem.DurationWord;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/**
 * A release as the API shows it, in one line for people: where it stands, for how long, and what its guard waits for.
 *
 * <pre>r1: ramping 5%, stage 2 of 5, held 40s of 1m; HOLD order: insufficient_samples, 17 of 30 samples</pre>
 */
final class ReleaseLine {
    private static final String INSUFFICIENT = "insufficient_samples";

    private ReleaseLine() {}

    /** Nothing in it can act on a terminal. */
    static String of(JsonNode release) {
        String line = text(release, "id") + ": " + text(release, "phase") + " " + text(release, "percent") + "%"
                + stage(release) + stepBacks(release) + why(release) + verdict(release);
        return Problem.escaped(line);
    }

    private static String stage(JsonNode release) {
        if (!release.has("stage")) {
            return "";
        }
        return ", stage " + (release.path("stage").asInt() + 1) + " of "
                + release.path("plan").path("stages").size() + ", held " + span(release, "heldMillis") + " of "
                + span(release, "holdMillis");
    }

    private static String stepBacks(JsonNode release) {
        int count = release.path("stepBacks").asInt();
        return count == 0 ? "" : ", " + count + (count == 1 ? " step back" : " steps back");
    }

    private static String why(JsonNode release) {
        return text(release, "why").isEmpty() ? "" : ": " + text(release, "why");
    }

    private static String verdict(JsonNode release) {
        JsonNode verdict = release.path("verdict");
        if (verdict.isMissingNode() || verdict.isNull()) {
            return "";
        }
        String service = text(verdict, "service");
        return "; " + text(verdict, "health") + " " + (service.isEmpty() ? "" : service + ": ")
                + text(verdict, "reason") + missing(release, verdict);
    }

    /** How far it is from enough. */
    private static String missing(JsonNode release, JsonNode verdict) {
        if (!text(verdict, "reason").equals(INSUFFICIENT)) {
            return "";
        }
        long samples = verdict.path("samples").asLong();
        long needed = needed(release);
        return samples < needed
                ? ", " + samples + " of " + needed + " samples"
                : ", " + samples + " samples, of which " + needed + " without failures would do";
    }

    private static long needed(JsonNode release) {
        JsonNode guard = release.path("guard");
        JsonNode stage =
                release.path("plan").path("stages").path(release.path("stage").asInt());
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

    /** In whole seconds from one second on. */
    private static String span(JsonNode release, String field) {
        long millis = release.path(field).asLong();
        return DurationWord.of(millis < 1000 ? Duration.ofMillis(millis) : Duration.ofSeconds(millis / 1000));
    }

    private static String text(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isMissingNode() || value.isNull() ? "" : value.asString();
    }
}
