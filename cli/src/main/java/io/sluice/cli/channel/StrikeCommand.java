package io.sluice.cli.channel;

import io.sluice.cli.release.ServerApi;
import io.sluice.cli.release.ServerOption;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.rule.Names;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sluice workloads strike}: a process that is gone without a goodbye, so that nobody waits for it. */
@Command(
        name = "strike",
        sortOptions = false,
        description = {
            "Strikes off a process that is gone without a goodbye, so that no release waits for it.",
            "One that reports again is known again."
        },
        customSynopsis = "sluice workloads strike INSTANCE [--server URL]")
final class StrikeCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "INSTANCE", description = "As it is listed, like order@10.0.0.7:8080.")
    private String instance = "";

    @Mixin
    private ServerOption server = new ServerOption();

    StrikeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        OptionValues options = new OptionValues();
        String name = options.read("INSTANCE", instance, Names::requireInstance, "stand-in");
        ServerApi api = server.open(options, terminal);
        options.throwIfAny();
        // Every character that a name may have stands for itself in a path.
        api.delete("/api/v1/workloads/" + name);
        terminal.say("struck off " + name);
        return Exit.OK;
    }
}
