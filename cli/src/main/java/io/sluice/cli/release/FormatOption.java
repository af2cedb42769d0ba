package io.sluice.cli.release;

import io.sluice.cli.terminal.OptionValues;
import java.util.List;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** How a command prints what it got from the server. */
public final class FormatOption {
    @Option(names = "--format", paramLabel = "FORMAT", description = "json, the default, or text for people.")
    private String format = "json";

    /** A problem unless it is one of both. */
    public void check(OptionValues options) {
        options.require(format.equals("json") || format.equals("text"), "--format", format, "must be json or text");
    }

    /** One release: on one line as JSON, for people on as many as it takes. */
    List<String> whole(JsonNode release) {
        if (!isText()) {
            return List.of(ServerApi.line(release));
        }
        return ReleaseLine.isOfChannel(release)
                ? ChannelReleaseText.of(release)
                : ReachText.under(ReleaseLine.of(release), release);
    }

    /** One a line; for people in columns. */
    List<String> lines(List<JsonNode> releases) {
        return isText()
                ? ReleaseLine.columns(releases)
                : releases.stream().map(ServerApi::line).toList();
    }

    /** Whether people shall read it. */
    public boolean isText() {
        return format.equals("text");
    }
}
