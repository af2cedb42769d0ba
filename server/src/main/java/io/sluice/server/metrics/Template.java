package io.sluice.server.metrics;

import io.sluice.core.decision.Lane;
import io.sluice.core.release.Release;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Fills in the placeholders of a query. Names, versions and services have only letters, digits, dots, dashes and
 * underscores, so nothing in them ends a string of PromQL, in whichever quotes it stands.
 */
final class Template {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{([a-z]+)}}");
    // Of a plan whose limits look at the whole stage.
    private static final Duration WINDOW = Duration.ofMinutes(5);

    private Template() {}

    /** @param elapsed since the step began; {@code window} is no longer */
    static String fill(String template, Release release, Lane lane, Duration elapsed) {
        Map<String, String> values = Map.of(
                "lane", lane.label(),
                "release", release.id(),
                "version", release.spec().version(),
                "step", String.valueOf(release.step()),
                "services", alternatives(release.spec().services()),
                "window", window(release, elapsed) + "s");
        return PLACEHOLDER
                .matcher(template)
                .replaceAll(found -> Matcher.quoteReplacement(values.getOrDefault(found.group(1), found.group())));
    }

    private static long window(Release release, Duration elapsed) {
        Duration window = release.spec().plan().limits().window();
        Duration longest = window.isZero() ? WINDOW : window;
        return Math.max(1, Math.min(elapsed.toSeconds(), longest.toSeconds()));
    }

    /** A dot in brackets is one without a backslash, which each kind of quotes would want in another number. */
    private static String alternatives(List<String> services) {
        return services.stream().map(service -> service.replace(".", "[.]")).collect(Collectors.joining("|"));
    }
}
