package io.sluice.cli.release;

import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sluice release show}: one release as it stands. */
@Command(
        name = "show",
        sortOptions = false,
        description = "Prints one release as it stands.",
        customSynopsis = "sluice release show ID [--format json|text] [--server URL]")
final class ShowCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "ID", description = "The release.")
    private String id = "";

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private ServerOption server = new ServerOption();

    ShowCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        OptionValues options = new OptionValues();
        String release = ServerOption.id(options, id);
        format.check(options);
        ServerApi api = server.open(options, terminal);
        options.throwIfAny();
        for (String line : format.whole(api.get("/api/v1/releases/" + release))) {
            terminal.print(line);
        }
        return Exit.OK;
    }
}
