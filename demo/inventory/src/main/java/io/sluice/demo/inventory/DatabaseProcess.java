package io.sluice.demo.inventory;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A PostgreSQL of the demo's own, on the loopback address, with programs and data in one temporary directory. Nothing of it is
 * left when this process has ended, however that came about: a shell beside it waits for that, ends the database and removes the
 * directory.
 *
 * <p>It ends when its standard input does, that is when whoever started it is gone; so it takes no wrapper that halts it. It keeps
 * nothing for good, and is as fast as a database that need not: no {@code fsync}.
 *
 * <pre>java -cp ... io.sluice.demo.inventory.DatabaseProcess PORT</pre>
 */
public final class DatabaseProcess {
    static final String DIRECTORY_PREFIX = "sluice-demo-db-";

    private static final String DATA = "data";
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final int END_SECONDS = 20;

    // Signals of the terminal reach it too, and it has to outlive them. The process id is read at the end, when the
    // database that wrote it is the only one that can have that directory.
    private static final String GUARD = """
            trap '' INT TERM HUP
            cat > /dev/null
            pid=$(head -n 1 "$1/%1$s/postmaster.pid" 2> /dev/null)
            if [ -n "$pid" ]; then
              kill -INT "$pid" 2> /dev/null
              tries=0
              while kill -0 "$pid" 2> /dev/null && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
              kill -QUIT "$pid" 2> /dev/null
            fi
            rm -rf "$1"
            # Something that was still being unpacked.
            while [ -e "$1" ] && [ "${again:-0}" -lt 50 ]; do again=$((${again:-0} + 1)); sleep 0.2; rm -rf "$1"; done
            """.formatted(DATA);

    private DatabaseProcess() {}

    /** Runs until its standard input ends. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 1) {
            System.err.println("usage: DatabaseProcess PORT");
            System.exit(2);
        }
        Path directory = Files.createTempDirectory(DIRECTORY_PREFIX);
        Process guard = guard(directory);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(guard), "database-end"));
        watchInput();
        try {
            EmbeddedPostgres.builder()
                    .setPort(Integer.parseInt(arguments[0]))
                    .setOverrideWorkingDirectory(directory.resolve("programs").toFile())
                    .setDataDirectory(directory.resolve(DATA))
                    .setRegisterShutdownHook(false)
                    .setPGStartupWait(START_LIMIT)
                    .setServerConfig("max_connections", "120")
                    .setServerConfig("shared_buffers", "32MB")
                    .start();
        } catch (IOException | RuntimeException failed) {
            failed.printStackTrace();
            System.err.println("no PostgreSQL could be started on this system (" + System.getProperty("os.name") + ", "
                    + System.getProperty("os.arch") + ", user " + System.getProperty("user.name")
                    + "); name one of your own: --db jdbc:postgresql://host:5432/database");
            System.exit(2);
        }
        System.out.println("PostgreSQL answers at port " + arguments[0] + ", in " + directory);
    }

    private static Process guard(Path directory) throws IOException {
        return new ProcessBuilder("sh", "-c", GUARD, "database-guard", directory.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void end(Process guard) {
        try {
            guard.getOutputStream().close();
            guard.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (IOException gone) {
            // Then it has done its work, or nobody can.
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private static void watchInput() {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // Nobody writes.
                        }
                    } catch (IOException gone) {
                        // As at the end.
                    }
                    System.exit(0);
                },
                "parent-watch");
        // No daemon: it is what this process lives for.
        watch.start();
    }
}
