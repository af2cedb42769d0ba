package io.sluice.cli.release;

import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.Names;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that all commands to a server share, and the server and the token they name. */
public final class ServerOption {
    private static final URI DEFAULT = URI.create("http://127.0.0.1:7070");
    private static final String ADDRESS = "must be an address like " + DEFAULT;
    private static final String TOKEN = "must be one word of ASCII characters";

    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "The server's address; else SLUICE_SERVER, else http://127.0.0.1:7070.")
    private @Nullable String server;

    /** The server that was named; what is wrong with its address or the token goes to the options. */
    public ServerApi open(OptionValues options, Terminal terminal) {
        String variable = terminal.environment("SLUICE_SERVER");
        URI address = DEFAULT;
        if (server != null) {
            address = options.read("--server", server, ServerOption::address, DEFAULT);
        } else if (!variable.isEmpty()) {
            address = options.read("SLUICE_SERVER", variable, ServerOption::address, DEFAULT);
        }
        String token = terminal.environment("SLUICE_TOKEN");
        options.require(token.matches("[!-~]*"), "SLUICE_TOKEN", "something else", TOKEN);
        return new ServerApi(address, token);
    }

    /** The id of a release or a channel, which goes into addresses. */
    public static String id(OptionValues options, String id) {
        return options.read("ID", id, Names::requireId, "stand-in");
    }

    private static URI address(String text) {
        try {
            URI uri = new URI(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
            boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (http && uri.getHost() != null && uri.getRawUserInfo() == null && uri.getRawQuery() == null) {
                return uri;
            }
        } catch (URISyntaxException malformed) {
            // Refused below, as any other text that is no address.
        }
        throw new RefusedException("", text.isEmpty() ? "empty" : text, ADDRESS);
    }
}
