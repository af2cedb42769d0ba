package io.sluice.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** The etcd of the operating system, in a process of its own, on this machine only. */
public final class EtcdProcess implements AutoCloseable {
    public static final String PROGRAM = "/usr/bin/etcd";
    public static final String INSTALL = "apt-get install etcd-server";

    private static final Duration READY_WITHIN = Duration.ofSeconds(60);

    private final Path directory;
    private final int port;
    private final int peerPort;
    private Process process;

    private EtcdProcess(Path directory) throws IOException {
        this.directory = directory;
        this.port = freePort();
        this.peerPort = freePort();
        this.process = launch();
    }

    /**
     * Starts one with nothing in it; returns once it answers. Another process may take a port between our look and etcd's, so
     * there are three tries.
     */
    public static EtcdProcess start() {
        for (int failures = 0; ; failures++) {
            try {
                EtcdProcess etcd = new EtcdProcess(Files.createTempDirectory("etcd"));
                etcd.awaitReady();
                return etcd;
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            } catch (IllegalStateException notReady) {
                if (failures == 2) {
                    throw notReady;
                }
            }
        }
    }

    public int port() {
        return port;
    }

    /** Ends the process as {@code kill -9} does. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Starts it again, at the same port and with what it had. */
    public void restart() throws IOException {
        process = launch();
        awaitReady();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }

    private Process launch() throws IOException {
        String clients = "http://127.0.0.1:" + port;
        String peers = "http://127.0.0.1:" + peerPort;
        Process launched = new ProcessBuilder(
                        PROGRAM,
                        "--data-dir=" + directory.resolve("data"),
                        "--listen-client-urls=" + clients,
                        "--advertise-client-urls=" + clients,
                        "--listen-peer-urls=" + peers,
                        "--initial-advertise-peer-urls=" + peers,
                        "--initial-cluster=default=" + peers,
                        "--unsafe-no-fsync")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(launched::destroyForcibly));
        return launched;
    }

    private void awaitReady() {
        long deadline = System.nanoTime() + READY_WITHIN.toNanos();
        while (!isHealthy()) {
            if (System.nanoTime() > deadline || !process.isAlive()) {
                process.destroyForcibly();
                throw new IllegalStateException("etcd does not answer; see " + directory.resolve("log"));
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }

    private boolean isHealthy() {
        HttpRequest question = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/health"))
                .timeout(Duration.ofSeconds(2))
                .build();
        try {
            return HttpClient.newHttpClient()
                    .send(question, HttpResponse.BodyHandlers.ofString())
                    .body()
                    .contains("true");
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", stop);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            return free.getLocalPort();
        }
    }
}
