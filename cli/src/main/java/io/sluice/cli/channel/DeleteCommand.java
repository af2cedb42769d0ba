package io.sluice.cli.channel;

import io.sluice.cli.release.ServerApi;
import io.sluice.cli.release.ServerOption;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sluice channel delete}: a channel no more; its services stay as they are. */
@Command(
        name = "delete",
        sortOptions = false,
        description = "Deletes a channel that has no release. Its services stay as they are.",
        customSynopsis = "sluice channel delete ID [--server URL]")
final class DeleteCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "ID", description = "The channel.")
    private String id = "";

    @Mixin
    private ServerOption server = new ServerOption();

    DeleteCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        OptionValues options = new OptionValues();
        String channel = ServerOption.id(options, id);
        ServerApi api = server.open(options, terminal);
        options.throwIfAny();
        api.delete("/api/v1/channels/" + channel);
        terminal.say("deleted channel " + channel);
        return Exit.OK;
    }
}
