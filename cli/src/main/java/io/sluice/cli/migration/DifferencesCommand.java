package io.sluice.cli.migration;

import io.sluice.cli.release.ServerApi;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.problem.Problem;
import io.sluice.migration.plan.Side;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** {@code sluice migration differences}: reads that both sides answered differently. */
@Command(
        name = "differences",
        sortOptions = false,
        description = "Prints the reads that both sides answered differently, the newest first, 1,000 at most.",
        customSynopsis = "sluice migration differences NAME [--format json|text] [--server URL]")
final class DifferencesCommand implements Callable<Integer> {
    private static final int MOST = 1_000;

    private final Terminal terminal;

    @Mixin
    private OneMigration migration = new OneMigration();

    DifferencesCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        ServerApi api = migration.open(migration.options(), terminal);
        JsonNode answer = api.get(migration.path() + "/differences?most=" + MOST);
        for (JsonNode difference : answer.path("differences")) {
            terminal.print(migration.isText() ? text(difference) : ServerApi.line(difference));
        }
        return Exit.OK;
    }

    private static String text(JsonNode difference) {
        String authority = MigrationText.text(difference, "authority");
        String other = authority.equals(Side.LEGACY.label()) ? Side.NEW.label() : Side.LEGACY.label();
        return Problem.escaped(MigrationText.text(difference, "at") + "  " + MigrationText.text(difference, "key")
                + "  " + MigrationText.text(difference, "read") + " at version "
                + MigrationText.text(difference, "version") + ": " + authority + " "
                + MigrationText.text(difference, "authorityValue") + ", " + other + " "
                + MigrationText.text(difference, "otherValue"));
    }
}
