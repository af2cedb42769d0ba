package io.sluice.cli.migration;

import io.sluice.cli.release.WhyOption;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.problem.RefusedException;
import io.sluice.wire.migration.MigrationChange;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sluice migration percent}: how much shall be new. */
@Command(
        name = "percent",
        sortOptions = false,
        description = {
            "Has another share of the keys moved to the new side, or back. Processes hear of it with their next report.",
            "Refused when somebody else changed the migration in the same moment."
        },
        customSynopsis = "sluice migration percent NAME N --why TEXT [--version V] [--format json|text] [--server URL]")
final class PercentCommand extends ChangeCommand {
    @Parameters(index = "1", paramLabel = "N", description = "0..100, whole.")
    private String percent = "";

    PercentCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    MigrationChange change(OptionValues options, WhyOption reason) {
        return MigrationChange.percent(
                options.read("N", percent, PercentCommand::percent, 0), reason.required(options));
    }

    @Override
    boolean isForWhatIsSeen() {
        return true;
    }

    private static int percent(String text) {
        if (!text.matches("[0-9]{1,3}") || Integer.parseInt(text) > 100) {
            throw new RefusedException("", text.isEmpty() ? "empty" : text, "must be a whole number within 0..100");
        }
        return Integer.parseInt(text);
    }
}
