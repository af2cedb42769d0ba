package io.sluice.cli.channel;

import io.sluice.cli.release.ServerApi;
import io.sluice.cli.release.ServerOption;
import io.sluice.cli.release.SidesText;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.problem.Problem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code sluice channel show}: one channel with the instances of both sides. */
@Command(
        name = "show",
        sortOptions = false,
        description = "Prints one channel with the instances of both sides.",
        customSynopsis = "sluice channel show ID [--format json|text] [--server URL]")
final class ShowCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "ID", description = "The channel.")
    private String id = "";

    @Option(names = "--format", paramLabel = "FORMAT", description = "json, the default, or text for people.")
    private String format = "json";

    @Mixin
    private ServerOption server = new ServerOption();

    ShowCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        OptionValues options = new OptionValues();
        String channel = ServerOption.id(options, id);
        options.require(format.equals("json") || format.equals("text"), "--format", format, "must be json or text");
        ServerApi api = server.open(options, terminal);
        options.throwIfAny();
        JsonNode view = api.get("/api/v1/channels/" + channel);
        for (String line : format.equals("text") ? text(view) : List.of(ServerApi.line(view))) {
            terminal.print(line);
        }
        return Exit.OK;
    }

    private static List<String> text(JsonNode view) {
        String services = view.path("services")
                .valueStream()
                .map(service -> service.asString(""))
                .collect(Collectors.joining(", "));
        String release = view.path("release").asString("");
        List<String> lines = new ArrayList<>();
        lines.add(Problem.escaped(view.path("id").asString("") + ": " + services + "; "
                + (release.isEmpty() ? "in no release" : "in release " + release)));
        lines.addAll(SidesText.of(view.path("sides")));
        JsonNode scaling = view.path("scaling");
        if (scaling.isObject()) {
            String note = scaling.path("note").asString("");
            lines.add(Problem.escaped(
                    "  scaling: " + scaling.path("state").asString("") + (note.isEmpty() ? "" : ", " + note)));
        }
        return lines;
    }
}
