package io.sluice.cli.channel;

import io.sluice.cli.terminal.Terminal;
import picocli.CommandLine;

/** {@code sluice channel}: what the server's API can do to a channel outside of its releases. */
@CommandLine.Command(
        name = "channel",
        sortOptions = false,
        description = {
            "Keeps channels, the services that are released together, through the server's API.",
            "The token is taken from SLUICE_TOKEN."
        },
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%n")
public final class ChannelCommand {
    private ChannelCommand() {}

    /** The command with its own commands. */
    public static CommandLine line(Terminal terminal) {
        return new CommandLine(new ChannelCommand())
                .addSubcommand(new CreateCommand(terminal))
                .addSubcommand(new ListCommand(terminal))
                .addSubcommand(new ShowCommand(terminal))
                .addSubcommand(new ScaleCommand(terminal))
                .addSubcommand(new DeleteCommand(terminal));
    }
}
