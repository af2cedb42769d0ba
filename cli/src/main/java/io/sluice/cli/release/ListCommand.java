package io.sluice.cli.release;

import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** {@code sluice release list}: all releases, one a line. */
@Command(
        name = "list",
        sortOptions = false,
        description = "Prints all releases.",
        customSynopsis = "sluice release list [--format json|text] [--server URL]")
final class ListCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private ServerOption server = new ServerOption();

    ListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        OptionValues options = new OptionValues();
        format.check(options);
        ServerApi api = server.open(options, terminal);
        options.throwIfAny();
        List<JsonNode> releases =
                api.get("/api/v1/releases").path("releases").valueStream().toList();
        for (String line : format.lines(releases)) {
            terminal.print(line);
        }
        return Exit.OK;
    }
}
