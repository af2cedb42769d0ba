package io.sluice.cli.migration;

import io.sluice.cli.release.ServerApi;
import io.sluice.cli.release.WhyOption;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.wire.migration.MigrationRequest;
import io.sluice.wire.migration.MigrationRequestJson;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sluice migration create|observe}: a request about a migration as a whole. */
@Command(sortOptions = false)
final class WholeCommand implements Callable<Integer> {
    private final Terminal terminal;
    private final Request request;

    @Mixin
    private OneMigration migration = new OneMigration();

    @Mixin
    private WhyOption why = new WhyOption();

    private WholeCommand(Terminal terminal, Request request) {
        this.terminal = terminal;
        this.request = request;
    }

    static CommandLine line(Terminal terminal, Request request) {
        CommandLine line = new CommandLine(new WholeCommand(terminal, request));
        line.getCommandSpec().usageMessage().description(request.description);
        return line;
    }

    @Override
    public Integer call() throws IOException {
        OptionValues options = migration.options();
        byte[] body = MigrationRequestJson.write(new MigrationRequest(migration.checkedName(), why.required(options)));
        ServerApi api = migration.open(options, terminal);
        String path = request == Request.CREATE ? OneMigration.ALL : migration.path() + "/observe";
        migration.print(api.post(path, body), terminal);
        return Exit.OK;
    }

    /** Which one. */
    enum Request {
        CREATE("create", "Creates a migration, with everything at legacy; needs --why."),
        OBSERVE("observe", "Begins to observe anew: evidence of days before today counts no more; needs --why.");

        private final String label;
        private final String description;

        Request(String label, String description) {
            this.label = label;
            this.description = description;
        }

        String label() {
            return label;
        }
    }
}
