package io.sluice.cli.migration;

import io.sluice.cli.terminal.Terminal;
import java.time.InstantSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code sluice migration}: state that moves from an old to a new side. */
@Command(
        name = "migration",
        sortOptions = false,
        description = {
            "Steers migrations through the server's API, with the token from SLUICE_TOKEN, and says how far they are.",
            "Says whether ledgers add up, and what to delete when it is over: reconcile and retire ask no server."
        },
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%n")
public final class MigrationCommand {
    private MigrationCommand() {}

    /** The command with its own commands. */
    public static CommandLine line(Terminal terminal) {
        CommandLine line = new CommandLine(new MigrationCommand())
                .addSubcommand(
                        WholeCommand.Request.CREATE.label(), WholeCommand.line(terminal, WholeCommand.Request.CREATE))
                .addSubcommand(new ListCommand(terminal))
                .addSubcommand(new ShowCommand(terminal))
                .addSubcommand(new PercentCommand(terminal))
                .addSubcommand("lists", ListsCommand.line(terminal))
                .addSubcommand(new PaceCommand(terminal));
        for (TurnCommand.Turn turn : TurnCommand.Turn.values()) {
            line.addSubcommand(turn.label(), TurnCommand.line(terminal, turn));
        }
        return line.addSubcommand(new BackCommand(terminal))
                .addSubcommand(
                        WholeCommand.Request.OBSERVE.label(), WholeCommand.line(terminal, WholeCommand.Request.OBSERVE))
                .addSubcommand(new DifferencesCommand(terminal))
                .addSubcommand(new WatchCommand(
                        terminal, System::nanoTime, time -> Thread.sleep(time.toMillis() + 1), isScreen(terminal)))
                .addSubcommand(new ReadyCommand(terminal, InstantSource.system()))
                .addSubcommand(new ReconcileCommand(terminal))
                .addSubcommand(new RetireCommand(terminal, InstantSource.system()));
    }

    @SuppressWarnings("SystemConsoleNull") // from JDK 22 on the launcher asks for the console that may be null
    private static boolean isScreen(Terminal terminal) {
        return System.console() != null && terminal.environment("NO_COLOR").isEmpty();
    }
}
