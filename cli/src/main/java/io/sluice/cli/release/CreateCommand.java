package io.sluice.cli.release;

import io.sluice.cli.terminal.Document;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.wire.ChannelReleaseSpecJson;
import io.sluice.wire.ReleaseRequest;
import io.sluice.wire.ReleaseSpecJson;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice release create}: checks a release request here, then hands it to the server. */
@Command(
        name = "create",
        sortOptions = false,
        description = {
            "Creates a release from a file; it starts with sluice release start.",
            "Its strategy says what kind it is: canary, the default, blue-green or rolling."
        },
        customSynopsis = "sluice release create FILE [--why TEXT] [--server URL]")
final class CreateCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "A release request as JSON; - for standard input.")
    private String file = "";

    @Option(names = "--why", paramLabel = "TEXT", description = "For the journal, in place of the file's own.")
    private @Nullable String why;

    @Mixin
    private ServerOption server = new ServerOption();

    CreateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        OptionValues options = new OptionValues();
        ServerApi api = server.open(options, terminal);
        options.throwIfAny();
        byte[] document = Document.read(file, terminal);
        byte[] request = ChannelReleaseSpecJson.isMeant(document) ? ofChannel(document) : ofCanary(document);
        terminal.print(ServerApi.line(api.post("/api/v1/releases", request)));
        return Exit.OK;
    }

    private byte[] ofCanary(byte[] document) {
        ReleaseRequest asked = ReleaseSpecJson.readRequest(document);
        return ReleaseSpecJson.write(why == null ? asked : new ReleaseRequest(asked.spec(), why));
    }

    /** The document itself, since what it leaves out depends on the channel, which the server knows. */
    private byte[] ofChannel(byte[] document) {
        ChannelReleaseSpecJson.readRequest(document);
        if (why == null) {
            return document;
        }
        byte[] request = ServerApi.withWhy(document, why);
        ChannelReleaseSpecJson.readRequest(request);
        return request;
    }
}
