package io.sluice.cli.channel;

import io.sluice.cli.release.ServerApi;
import io.sluice.cli.release.ServerOption;
import io.sluice.cli.release.WhyOption;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.Names;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice channel create}: a new channel, outside a release. */
@Command(
        name = "create",
        sortOptions = false,
        description = "Creates a channel of services; a service is in one channel at most.",
        customSynopsis = "sluice channel create ID --services A,B,... [--why TEXT] [--server URL]")
final class CreateCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "ID", description = "The channel, like trade.")
    private String id = "";

    @Option(names = "--services", paramLabel = "A,B,...", description = "What is released together.")
    private @Nullable String services;

    @Mixin
    private WhyOption why = new WhyOption();

    @Mixin
    private ServerOption server = new ServerOption();

    CreateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        OptionValues options = new OptionValues();
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("id", options.read("ID", id, Names::requireId, ""));
        members.put("services", options.read("--services", services, CreateCommand::services, List.of()));
        why.addTo(members, options);
        ServerApi api = server.open(options, terminal);
        options.throwIfAny();
        terminal.print(ServerApi.line(api.post("/api/v1/channels", ServerApi.body(members))));
        return Exit.OK;
    }

    private static List<String> services(String text) {
        return Channel.requireServices(Stream.of(text.split(",", -1))
                .map(String::strip)
                .filter(service -> !service.isEmpty())
                .toList());
    }
}
