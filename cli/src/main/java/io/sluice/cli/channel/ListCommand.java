package io.sluice.cli.channel;

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

/** {@code sluice channel list}: all channels, one a line. */
@Command(
        name = "list",
        sortOptions = false,
        description = "Prints all channels.",
        customSynopsis = "sluice channel list [--server URL]")
final class ListCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private ServerOption server = new ServerOption();

    ListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        OptionValues options = new OptionValues();
        ServerApi api = server.open(options, terminal);
        options.throwIfAny();
        for (JsonNode channel : api.get("/api/v1/channels").path("channels")) {
            terminal.print(ServerApi.line(channel));
        }
        return Exit.OK;
    }
}
