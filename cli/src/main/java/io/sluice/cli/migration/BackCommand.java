package io.sluice.cli.migration;

import io.sluice.cli.release.WhyOption;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.wire.migration.MigrationChange;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice migration back}: everything to legacy. */
@Command(
        name = "back",
        sortOptions = false,
        description = {
            "Has every key moved back to legacy: 0 percent, both lists empty, not paused.",
            "It takes its time, at the pace of the migration; watch it with sluice migration watch."
        },
        customSynopsis =
                "sluice migration back NAME --yes --why TEXT [--version V] [--format json|text] [--server URL]")
final class BackCommand extends ChangeCommand {
    @Option(names = "--yes", description = "That this is what you mean.")
    private boolean yes;

    BackCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    MigrationChange change(OptionValues options, WhyOption reason) {
        options.require(yes, "--yes", "missing", "must be given: every key goes back to legacy, and both lists go");
        return MigrationChange.back(reason.required(options));
    }
}
