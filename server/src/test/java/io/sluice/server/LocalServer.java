package io.sluice.server;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.context.ConfigurableApplicationContext;

/** The real server in this process, started once for all tests that share it; each test takes names of its own. */
public final class LocalServer {
    private static final String TOKEN = "a-token-for-tests-which-is-long-enough";
    private static final AtomicLong NAMES = new AtomicLong();
    private static ConfigurableApplicationContext running;

    private LocalServer() {}

    public static synchronized ConfigurableApplicationContext context() {
        if (running == null) {
            System.setProperty("sluice.setup-token", TOKEN);
            ServerFlags flags = ServerFlags.parse(
                    List.of("--port", "0", "--data", data().toString(), "--look-every", "100ms"), Map.of());
            running = Server.start(flags, new PrintStream(OutputStream.nullOutputStream()));
            Runtime.getRuntime().addShutdownHook(new Thread(running::close));
        }
        return running;
    }

    public static Api api() {
        String port = context().getEnvironment().getProperty("local.server.port");
        return new Api(URI.create("http://127.0.0.1:" + port), TOKEN);
    }

    /** A name that no other test uses. */
    public static String name(String prefix) {
        return prefix + "-" + NAMES.incrementAndGet();
    }

    private static Path data() {
        try {
            return Files.createTempDirectory("sluice-server-test");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
