package io.sluice.cli.migration;

import io.sluice.cli.release.FormatOption;
import io.sluice.cli.release.ServerApi;
import io.sluice.cli.release.ServerOption;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.migration.plan.Plan;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** What all commands to one migration share: its name, the server that keeps it, and how it is printed. */
final class OneMigration {
    static final String ALL = "/api/v1/migrations";

    @Parameters(index = "0", paramLabel = "NAME", description = "The migration, like inventory.")
    private String name = "";

    @Mixin
    private FormatOption format = new FormatOption();

    @Mixin
    private ServerOption server = new ServerOption();

    /** Options with what is wrong with these; those of the command itself come next, and {@link #open} at the end. */
    OptionValues options() {
        OptionValues options = new OptionValues();
        name(options, name);
        format.check(options);
        return options;
    }

    /** The server, once everything else was read. */
    ServerApi open(OptionValues options, Terminal terminal) {
        ServerApi api = server.open(options, terminal);
        options.throwIfAny();
        return api;
    }

    String name() {
        return name;
    }

    /** The same for the body of a request; a stand-in when it is not a name, which the options know by now. */
    String checkedName() {
        return name(new OptionValues(), name);
    }

    String path() {
        return ALL + "/" + name;
    }

    boolean isText() {
        return format.isText();
    }

    /** The whole of it. */
    void print(JsonNode view, Terminal terminal) throws IOException {
        for (String line : isText() ? MigrationText.of(view) : List.of(ServerApi.line(view))) {
            terminal.print(line);
        }
    }

    /** A name, which goes into addresses; what is wrong with it goes to the options. */
    static String name(OptionValues options, String name) {
        return options.read("NAME", name, text -> Plan.start(text).migration(), "stand-in");
    }
}
