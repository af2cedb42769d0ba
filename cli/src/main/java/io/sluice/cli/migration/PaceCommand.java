package io.sluice.cli.migration;

import io.sluice.cli.release.WhyOption;
import io.sluice.cli.terminal.Numbers;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.migration.plan.Pace;
import io.sluice.wire.migration.MigrationChange;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice migration pace}: how fast keys are moved. */
@Command(
        name = "pace",
        sortOptions = false,
        description = "Has keys moved faster or slower.",
        customSynopsis = {
            "sluice migration pace NAME --keys-per-second N [--why TEXT]",
            "                     [--version V] [--format json|text] [--server URL]"
        })
final class PaceCommand extends ChangeCommand {
    @Option(
            names = "--keys-per-second",
            paramLabel = "N",
            description = "At most so many in each process that moves keys.")
    private @Nullable String keysPerSecond;

    PaceCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    MigrationChange change(OptionValues options, WhyOption reason) {
        int rate = options.read("--keys-per-second", keysPerSecond, PaceCommand::rate, 1);
        return MigrationChange.pace(rate, reason.orElse("pace " + rate + " keys/s", options));
    }

    private static int rate(String text) {
        return new Pace(Numbers.instances(text), false).keysPerSecond();
    }
}
