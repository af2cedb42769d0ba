package io.sluice.demo.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DatabaseProcessTest {
    private Process process;
    private Path directory;
    private ProcessHandle postgres;

    @BeforeEach
    void start() throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        DatabaseProcess.class.getName(),
                        String.valueOf(freePort()))
                .redirectErrorStream(true)
                .start();
        directory = Path.of(awaitLine(" answers at port ").replaceFirst(".*, in ", ""));
        String pid =
                Files.readAllLines(directory.resolve("data/postmaster.pid")).get(0);
        postgres = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    @AfterEach
    void end() throws InterruptedException {
        process.destroyForcibly().waitFor();
        await().until(() -> Files.notExists(directory));
    }

    @Test
    void nothingIsLeftWhenWhoStartedItIsGone() throws Exception {
        process.getOutputStream().close();

        await().until(() -> !process.isAlive());
        assertThat(postgres.isAlive()).isFalse();
        assertThat(directory).doesNotExist();
    }

    @Test
    void nothingIsLeftWhenItIsKilled() {
        process.destroyForcibly();

        await().until(() -> !postgres.isAlive() && Files.notExists(directory));
    }

    @Test
    void nothingIsLeftWhenItIsInterrupted() {
        process.destroy();

        await().until(() -> !process.isAlive());
        assertThat(postgres.isAlive()).isFalse();
        assertThat(directory).doesNotExist();
    }

    private String awaitLine(String part) throws IOException {
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        List<String> seen = new ArrayList<>();
        for (String next = out.readLine(); next != null; next = out.readLine()) {
            if (next.contains(part)) {
                return next;
            }
            seen.add(next);
        }
        throw new IllegalStateException("the database did not start: " + seen);
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
