package io.sluice.center.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.sluice.center.ConfigCenter;
import io.sluice.center.RealCenter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The etcd of the operating system, in a process of its own. */
final class RealEtcd implements RealCenter {
    static final String PROGRAM = "/usr/bin/etcd";
    static final String INSTALL = "apt-get install etcd-server";

    private final Path directory;
    private final int port;
    private final int peerPort;
    private Process process;

    private RealEtcd(Path directory) throws IOException {
        this.directory = directory;
        this.port = freePort();
        this.peerPort = freePort();
    }

    static RealEtcd start() throws Exception {
        RealEtcd etcd = new RealEtcd(Files.createTempDirectory("etcd"));
        etcd.restart();
        return etcd;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public ConfigCenter connect(int port, String name) {
        return EtcdCenter.of("http://127.0.0.1:" + port + "/sluice/" + name);
    }

    @Override
    public void delete(String name) throws Exception {
        try (Client client = client()) {
            client.getKVClient().delete(key(name)).get();
        }
    }

    @Override
    public void empty(String name) throws Exception {
        try (Client client = client()) {
            client.getKVClient().put(key(name), ByteSequence.EMPTY).get();
        }
    }

    /** Forgets all revisions but the newest. */
    void compact() throws Exception {
        try (Client client = client()) {
            long newest = client.getKVClient().get(key("any")).get().getHeader().getRevision();
            client.getKVClient().compact(newest).get();
        }
    }

    Client client() {
        return Client.builder().endpoints("http://127.0.0.1:" + port).build();
    }

    private static ByteSequence key(String name) {
        return ByteSequence.from("/sluice/" + name, UTF_8);
    }

    @Override
    public void kill() throws Exception {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void restart() throws Exception {
        String clients = "http://127.0.0.1:" + port;
        String peers = "http://127.0.0.1:" + peerPort;
        ProcessBuilder etcd = new ProcessBuilder(
                PROGRAM,
                "--data-dir=" + directory.resolve("data"),
                "--listen-client-urls=" + clients,
                "--advertise-client-urls=" + clients,
                "--listen-peer-urls=" + peers,
                "--initial-advertise-peer-urls=" + peers,
                "--initial-cluster=default=" + peers,
                "--unsafe-no-fsync");
        process = etcd.redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        await().atMost(Duration.ofSeconds(20)).until(this::isHealthy);
    }

    private boolean isHealthy() throws InterruptedException {
        try {
            HttpRequest question = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/health"))
                    .timeout(Duration.ofSeconds(2))
                    .build();
            return HttpClient.newHttpClient()
                    .send(question, HttpResponse.BodyHandlers.ofString())
                    .body()
                    .contains("true");
        } catch (IOException notYet) {
            return false;
        }
    }

    @Override
    public void close() throws Exception {
        kill();
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            return free.getLocalPort();
        }
    }
}
