package io.sluice.server.deployers;

import io.sluice.core.tag.Color;
import io.sluice.wire.LocalProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Tiny services that a deployer may start, and what is known of their starts. Ends whatever was started. */
final class TinyFleet implements AutoCloseable {
    private final Path directory;
    private final List<LocalProcess> processes = new ArrayList<>();

    TinyFleet(Path directory) {
        this.directory = directory;
    }

    /** @param wrong what is wrong with it; empty for nothing */
    TinyFleet with(String name, Color color, String wrong, Duration stopWithin) {
        int port = freePort();
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                TinyService.class.getName(),
                String.valueOf(port),
                "${version}",
                starts().toString()));
        if (!wrong.isEmpty()) {
            command.add(wrong);
        }
        processes.add(new LocalProcess(
                name,
                name.split("-", 2)[0],
                color,
                name.split("-", 2)[0] + "@127.0.0.1:" + port,
                command,
                null,
                Map.of("SLUICE_VERSION", "${version}!"),
                null,
                URI.create("http://127.0.0.1:" + port + "/health"),
                stopWithin));
        return this;
    }

    TinyFleet with(String name, Color color) {
        return with(name, color, "", Duration.ofSeconds(20));
    }

    List<LocalProcess> processes() {
        return processes;
    }

    Path starts() {
        return directory.resolve("starts.txt");
    }

    Path data() {
        return directory.resolve("data");
    }

    ProcessDeployer deployer() {
        return new ProcessDeployer(processes, directory, data());
    }

    /** Every start there has been. */
    List<Start> allStarts() {
        try {
            return Files.exists(starts())
                    ? Files.readAllLines(starts()).stream().map(Start::parse).toList()
                    : List.of();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    List<Start> running() {
        return allStarts().stream().filter(Start::isAlive).toList();
    }

    record Start(String port, String version, long pid, String environment, String leftOver) {
        static Start parse(String line) {
            String[] parts = line.split(" ");
            return new Start(parts[0], parts[1], Long.parseLong(parts[2]), parts[3], parts[4]);
        }

        boolean isAlive() {
            return ProcessIdentity.of(pid).isPresent();
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() {
        running().forEach(start -> ProcessHandle.of(start.pid()).ifPresent(ProcessHandle::destroyForcibly));
    }
}
