package io.sluice.cli.channel;

import io.sluice.cli.release.ServerApi;
import io.sluice.cli.release.ServerOption;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** {@code sluice workloads}: what runs, and who cannot be counted on. */
@Command(
        name = "workloads",
        sortOptions = false,
        description = {
            "Prints every process that is known, one a line, and on standard error those that cannot be counted on:",
            "not heard of for ten seconds, or refusing the rules they got."
        },
        customSynopsis = {"sluice workloads [--server URL]", "  or:  sluice workloads strike INSTANCE [--server URL]"},
        commandListHeading = "%n",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:all are reached and take their rules",
            "2:wrong usage, or the server did not answer",
            "10:some are unreached or refuse their rules"
        })
public final class WorkloadsCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private ServerOption server = new ServerOption();

    private WorkloadsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The command with its own command, without which it lists. */
    public static CommandLine line(Terminal terminal) {
        return new CommandLine(new WorkloadsCommand(terminal)).addSubcommand(new StrikeCommand(terminal));
    }

    @Override
    public Integer call() throws IOException {
        OptionValues options = new OptionValues();
        ServerApi api = server.open(options, terminal);
        options.throwIfAny();
        List<JsonNode> all =
                api.get("/api/v1/workloads").path("workloads").valueStream().toList();
        boolean counted = true;
        for (JsonNode workload : all) {
            terminal.print(ServerApi.line(workload));
            String doubt = doubt(workload);
            if (!doubt.isEmpty()) {
                terminal.say(workload.path("instance").asString("") + ": " + doubt);
                counted = false;
            }
        }
        return counted ? Exit.OK : Exit.BREACH;
    }

    private static String doubt(JsonNode workload) {
        if (!workload.path("reached").asBoolean(true)) {
            return "UNREACHED, not heard of for "
                    + workload.path("unheardMillis").asLong() / 1000 + " s";
        }
        String refusal = workload.path("refusal").asString("");
        return refusal.isEmpty() ? "" : "REFUSES its rules: " + refusal;
    }
}
