package io.sluice.cli.channel;

import io.sluice.cli.release.ServerApi;
import io.sluice.cli.release.ServerOption;
import io.sluice.cli.release.WhyOption;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.Numbers;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.rule.Names;
import io.sluice.core.tag.Color;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice channel scale}: another number of instances on one side of one service. */
@Command(
        name = "scale",
        sortOptions = false,
        description = {
            "Has a deployer bring about another number of instances on one side of a service.",
            "Refused while the channel is in release, except with --override, which is undone at the end of it."
        },
        customSynopsis = {
            "sluice channel scale ID --service S --color blue|green --instances N --why TEXT",
            "                     [--version V] [--deployer D] [--override] [--server URL]"
        })
final class ScaleCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "ID", description = "The channel.")
    private String id = "";

    @Option(names = "--service", paramLabel = "S", description = "The service.")
    private @Nullable String service;

    @Option(names = "--color", paramLabel = "COLOR", description = "The side, blue or green.")
    private @Nullable String color;

    @Option(names = "--instances", paramLabel = "N", description = "How many there shall be.")
    private @Nullable String instances;

    @Option(names = "--deployer", paramLabel = "D", description = "Who brings it about; else manual, a human.")
    private @Nullable String deployer;

    @Option(names = "--version", paramLabel = "V", description = "What they run, where nothing runs yet.")
    private @Nullable String version;

    @Option(names = "--override", description = "Also while the channel is in release; undone at its end.")
    private boolean override;

    @Mixin
    private WhyOption why = new WhyOption();

    @Mixin
    private ServerOption server = new ServerOption();

    ScaleCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        OptionValues options = new OptionValues();
        String channel = ServerOption.id(options, id);
        byte[] body = ServerApi.body(members(options));
        ServerApi api = server.open(options, terminal);
        options.throwIfAny();
        terminal.print(ServerApi.line(api.post("/api/v1/channels/" + channel + "/scale", body)));
        return Exit.OK;
    }

    private Map<String, Object> members(OptionValues options) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("service", options.read("--service", service, Names::requireService, ""));
        members.put(
                "color",
                options.read("--color", color, Color::parse, Color.BLUE).label());
        members.put("instances", options.read("--instances", instances, Numbers::instances, 0));
        if (version != null) {
            members.put("version", options.read("--version", version, Names::requireVersion, ""));
        }
        if (deployer != null) {
            members.put("deployer", options.read("--deployer", deployer, Names::requireId, ""));
        }
        why.addRequiredTo(members, options);
        members.put("override", override);
        return members;
    }
}
