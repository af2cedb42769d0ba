package io.sluice.cli.release;

import io.sluice.cli.terminal.Terminal;
import picocli.CommandLine;

/** {@code sluice release}: everything that the server's API can do to a release. */
@CommandLine.Command(
        name = "release",
        sortOptions = false,
        description = {
            "Drives releases through the server's API, with the token from SLUICE_TOKEN.",
            "Prints releases as JSON, one a line; with --format text for people."
        },
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%n")
public final class ReleaseCommand {
    private ReleaseCommand() {}

    /** The command with its own commands. */
    public static CommandLine line(Terminal terminal) {
        CommandLine line = new CommandLine(new ReleaseCommand())
                .addSubcommand(new CreateCommand(terminal))
                .addSubcommand(new ListCommand(terminal))
                .addSubcommand(new ShowCommand(terminal));
        for (Steering steering : Steering.values()) {
            CommandLine steer = new CommandLine(new SteerCommand(terminal, steering));
            steer.getCommandSpec().usageMessage().description(steering.description());
            line.addSubcommand(steering.label(), steer);
        }
        return line.addSubcommand(new ReportCommand(terminal));
    }
}
