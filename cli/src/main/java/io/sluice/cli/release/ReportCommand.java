package io.sluice.cli.release;

import io.sluice.cli.report.HtmlReport;
import io.sluice.cli.report.MarkdownReport;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.OutputFile;
import io.sluice.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code sluice release report}: what happened in a release, for the post-mortem. */
@Command(
        name = "report",
        sortOptions = false,
        description = "Prints what happened in a release: stages, numbers, evidence, verdicts and actions.",
        customSynopsis = "sluice release report ID [--format json|md|html] [--output FILE] [--server URL]")
final class ReportCommand implements Callable<Integer> {
    private static final List<String> FORMATS = List.of("json", "md", "html");

    private final Terminal terminal;

    @Parameters(paramLabel = "ID", description = "The release.")
    private String id = "";

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description =
                    "json, the default; md for Markdown; html for one file with pictures, that needs nothing else.")
    private String format = "json";

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Writes to a file, whole or not at all; else to standard output.")
    private @Nullable String output;

    @Mixin
    private ServerOption server = new ServerOption();

    ReportCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        OptionValues options = new OptionValues();
        String release = ServerOption.id(options, id);
        options.require(FORMATS.contains(format), "--format", format, "must be json, md or html");
        Optional<OutputFile> file = output == null
                ? Optional.empty()
                : options.read("--output", output, name -> Optional.of(OutputFile.of(name)), Optional.empty());
        ServerApi api = server.open(options, terminal);
        options.throwIfAny();
        String report = rendered(api.get("/api/v1/releases/" + release + "/report"));
        if (file.isEmpty()) {
            terminal.print(report);
        } else {
            file.get().write((report + "\n").getBytes(StandardCharsets.UTF_8), "--output");
        }
        return Exit.OK;
    }

    private String rendered(JsonNode report) {
        return switch (format) {
            case "md" -> String.join("\n", MarkdownReport.of(report));
            case "html" -> HtmlReport.of(report);
            default -> ServerApi.line(report);
        };
    }
}
