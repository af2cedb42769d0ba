package io.sluice.cli.rules;

import io.sluice.cli.terminal.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code sluice rules}: what can be asked of a rule file. */
@Command(
        name = "rules",
        sortOptions = false,
        description = "Checks, explains and seals rule files.",
        synopsisSubcommandLabel = "(lint | explain | seal)",
        commandListHeading = "%n")
public final class RulesCommand {
    private RulesCommand() {}

    /** The command with its own commands. */
    public static CommandLine line(Terminal terminal) {
        return new CommandLine(new RulesCommand())
                .addSubcommand(new LintCommand(terminal))
                .addSubcommand(new ExplainCommand(terminal))
                .addSubcommand(new SealCommand(terminal));
    }
}
