package io.sluice.cli.migration;

import io.sluice.cli.release.WhyOption;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.wire.migration.MigrationChange;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code sluice migration pause|resume|retry}: a change that needs no value. */
@Command(sortOptions = false)
final class TurnCommand extends ChangeCommand {
    private final Turn turn;

    private TurnCommand(Terminal terminal, Turn turn) {
        super(terminal);
        this.turn = turn;
    }

    static CommandLine line(Terminal terminal, Turn turn) {
        CommandLine line = new CommandLine(new TurnCommand(terminal, turn));
        line.getCommandSpec().usageMessage().description(turn.description);
        return line;
    }

    @Override
    MigrationChange change(OptionValues options, WhyOption reason) {
        return switch (turn) {
            case PAUSE -> MigrationChange.paused(true, reason.orElse("pause", options));
            case RESUME -> MigrationChange.paused(false, reason.orElse("resume", options));
            case RETRY -> MigrationChange.retry(reason.required(options));
        };
    }

    /** Which one. */
    enum Turn {
        PAUSE("pause", "Lets no further move of a key begin; one that has begun is finished."),
        RESUME("resume", "Lets moves go on."),
        RETRY("retry", "Tries keys again that were handed back; needs --why.");

        private final String label;
        private final String description;

        Turn(String label, String description) {
            this.label = label;
            this.description = description;
        }

        String label() {
            return label;
        }
    }
}
