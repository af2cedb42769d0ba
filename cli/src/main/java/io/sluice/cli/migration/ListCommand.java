package io.sluice.cli.migration;

import io.sluice.cli.release.FormatOption;
import io.sluice.cli.release.ServerApi;
import io.sluice.cli.release.ServerOption;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** {@code sluice migration list}: all migrations, one a line. */
@Command(
        name = "list",
        sortOptions = false,
        description = "Prints all migrations.",
        customSynopsis = "sluice migration list [--format json|text] [--server URL]")
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
        for (JsonNode migration : api.get(OneMigration.ALL).path("migrations")) {
            terminal.print(format.isText() ? MigrationText.summary(migration) : ServerApi.line(migration));
        }
        return Exit.OK;
    }
}
