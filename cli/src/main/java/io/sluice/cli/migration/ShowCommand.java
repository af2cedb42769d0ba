package io.sluice.cli.migration;

import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.Terminal;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sluice migration show}: one migration as it stands. */
@Command(
        name = "show",
        sortOptions = false,
        description = {
            "Prints one migration: what is wanted, how far it is, who is behind, the evidence and what is unmet.",
            "In the bar of --format text # is moved, . to move and x handed back."
        },
        customSynopsis = "sluice migration show NAME [--format json|text] [--server URL]")
final class ShowCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private OneMigration migration = new OneMigration();

    ShowCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        migration.print(migration.open(migration.options(), terminal).get(migration.path()), terminal);
        return Exit.OK;
    }
}
