package io.sluice.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.testing.Line;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A process of {@link FollowerMain}, as whoever has started it sees it. Safe for all threads. */
final class FollowerProcess implements AutoCloseable {
    /** Rules that it has applied. */
    private record Applied(long micros, long epoch, long revision) {}

    private final String instance;
    private final @Nullable Line line;
    private final Process process;
    private final List<Applied> applied = new CopyOnWriteArrayList<>();

    /** @param line between it and the server; null for none */
    FollowerProcess(URI server, @Nullable Line line, String service, String instance, String color) throws IOException {
        this.instance = instance;
        this.line = line;
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                FollowerMain.class.getName(),
                line == null ? server.toString() : "http://127.0.0.1:" + line.port(),
                service,
                instance,
                color));
        process = new ProcessBuilder(command).redirectError(Redirect.DISCARD).start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        Thread reader = new Thread(this::read, instance);
        reader.setDaemon(true);
        reader.start();
    }

    String instance() {
        return instance;
    }

    /** @throws NullPointerException when there is none */
    Line line() {
        return Objects.requireNonNull(line, instance);
    }

    boolean isBehindALine() {
        return line != null;
    }

    /** When it applied these rules or newer ones, in microseconds; {@link Long#MAX_VALUE} when it has not yet. */
    long appliedAt(long epoch, long revision) {
        return applied.stream()
                .filter(each -> each.epoch > epoch || each.epoch == epoch && each.revision >= revision)
                .mapToLong(Applied::micros)
                .findFirst()
                .orElse(Long.MAX_VALUE);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        if (line != null) {
            line.close();
        }
    }

    private void read() {
        try (BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            for (String said = out.readLine(); said != null; said = out.readLine()) {
                String[] parts = said.split(" ", -1);
                applied.add(new Applied(Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2])));
            }
        } catch (IOException gone) {
            // It was ended.
        }
    }
}
