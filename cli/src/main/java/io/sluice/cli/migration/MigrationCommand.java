package io.sluice.cli.migration;

import io.sluice.cli.terminal.Terminal;
import java.time.InstantSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code sluice migration}: what can be asked of state that moves from an old to a new side. */
@Command(
        name = "migration",
        sortOptions = false,
        description = "Says how far a migration is, whether its ledgers add up, and what to delete when it is over.",
        synopsisSubcommandLabel = "(ready | reconcile | retire)",
        commandListHeading = "%n")
public final class MigrationCommand {
    private MigrationCommand() {}

    /** The command with its own commands. */
    public static CommandLine line(Terminal terminal) {
        return new CommandLine(new MigrationCommand())
                .addSubcommand(new ReadyCommand(terminal, InstantSource.system()))
                .addSubcommand(new ReconcileCommand(terminal))
                .addSubcommand(new RetireCommand(terminal, InstantSource.system()));
    }
}
