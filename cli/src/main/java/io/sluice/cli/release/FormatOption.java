package io.sluice.cli.release;

import io.sluice.cli.terminal.OptionValues;
import java.util.List;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** How a command prints releases. */
final class FormatOption {
    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "json, the default, or text for people: where it stands and what its guard waits for.")
    private String format = "json";

    void check(OptionValues options) {
        options.require(format.equals("json") || format.equals("text"), "--format", format, "must be json or text");
    }

    String line(JsonNode release) {
        return isText() ? ReleaseLine.of(release) : ServerApi.line(release);
    }

    /** One a line; for people in columns. */
    List<String> lines(List<JsonNode> releases) {
        return isText()
                ? ReleaseLine.columns(releases)
                : releases.stream().map(ServerApi::line).toList();
    }

    private boolean isText() {
        return format.equals("text");
    }
}
