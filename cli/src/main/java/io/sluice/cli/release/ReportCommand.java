package io.sluice.cli.release;

import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code sluice release report}: what happened in a release, for the post-mortem. */
@Command(
        name = "report",
        sortOptions = false,
        description = "Prints what happened in a release: stages, numbers, verdicts and actions.",
        customSynopsis = "sluice release report ID [--format json|md] [--server URL]")
final class ReportCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "ID", description = "The release.")
    private String id = "";

    @Option(names = "--format", paramLabel = "FORMAT", description = "json, the default, or md for Markdown.")
    private String format = "json";

    @Mixin
    private ServerOption server = new ServerOption();

    ReportCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        OptionValues options = new OptionValues();
        String release = ServerOption.releaseId(options, id);
        options.require(format.equals("json") || format.equals("md"), "--format", format, "must be json or md");
        ServerApi api = server.open(options, terminal);
        options.throwIfAny();
        JsonNode report = api.get("/api/v1/releases/" + release + "/report");
        if (format.equals("md")) {
            for (String line : MarkdownReport.of(report).lines()) {
                terminal.print(line);
            }
        } else {
            terminal.print(ServerApi.line(report));
        }
        return Exit.OK;
    }
}
