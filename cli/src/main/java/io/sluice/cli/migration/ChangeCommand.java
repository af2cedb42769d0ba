package io.sluice.cli.migration;

import io.sluice.cli.release.ServerApi;
import io.sluice.cli.release.WhyOption;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.Numbers;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.wire.migration.MigrationChange;
import io.sluice.wire.migration.MigrationChangeJson;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** A command that changes what is wanted of a migration. Says what is different now, and prints the migration. */
abstract class ChangeCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private OneMigration migration = new OneMigration();

    @Mixin
    private WhyOption why = new WhyOption();

    @Option(
            names = "--version",
            paramLabel = "V",
            description = "The version of the migration that was seen; refused if it has another by now.")
    private @Nullable String version;

    ChangeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** What to change; what is wrong with the command's options goes to {@code options}. */
    abstract MigrationChange change(OptionValues options, WhyOption reason);

    /**
     * Whether it is meant for what stands there now, so that it is refused when somebody else was faster. What stops or
     * goes back is meant whatever stands there.
     */
    boolean isForWhatIsSeen() {
        return false;
    }

    final Terminal terminal() {
        return terminal;
    }

    @Override
    public final Integer call() throws IOException {
        OptionValues options = migration.options();
        MigrationChange change = change(options, why);
        OptionalLong seen = version == null
                ? OptionalLong.empty()
                : OptionalLong.of(options.read("--version", version, Numbers::whole, 0L));
        ServerApi api = migration.open(options, terminal);
        JsonNode before = api.get(migration.path());
        if (seen.isEmpty() && isForWhatIsSeen()) {
            seen = OptionalLong.of(before.path("version").asLong(0));
        }
        JsonNode after = api.post(migration.path(), MigrationChangeJson.write(change.at(seen)));
        terminal.say(MigrationText.change(before, after));
        migration.print(after, terminal);
        return Exit.OK;
    }
}
