package io.sluice.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A real Nacos in a JVM of its own, on loopback: the one that {@code testing/nacos-server} builds. It can be killed and
 * started again on the same home and port, as a machine that crashed comes back.
 */
public final class NacosServer implements AutoCloseable {
    private static final Duration READY_WITHIN = Duration.ofMinutes(3);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    private final Path home;
    private int port;
    private Process process;

    private NacosServer(Path home) throws IOException {
        this.home = home;
        startAnew();
    }

    /** Starts one that keeps all it has in {@code home}, and waits until it delivers. */
    public static NacosServer start(Path home) throws IOException {
        return new NacosServer(home);
    }

    /** Where its HTTP is, and what a client takes for its port; gRPC is 1,000 above. */
    public int port() {
        return port;
    }

    /** Ends the process as {@code kill -9} does. */
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Asks the process to end, and waits until it has. */
    public void stop() {
        process.destroy();
        try {
            process.onExit().get(20, TimeUnit.SECONDS);
        } catch (Exception stillThere) {
            kill();
        }
    }

    /** Starts it again with what it had, on the port it had; it must not be running. */
    public void restart() throws IOException {
        process = launch();
        awaitReady();
    }

    /** Answers 403 for this data id from now on, or no longer. */
    public void refuse(String dataId, boolean refused) throws IOException {
        Path mark = home.resolve("refused").resolve(dataId);
        if (refused) {
            Files.createDirectories(mark.getParent());
            Files.createFile(mark);
        } else {
            Files.delete(mark);
        }
    }

    /** Writes a document by the server's own HTTP API, as somebody at its console would. */
    public void put(String namespace, String group, String dataId, String content) throws IOException {
        mustBeTrue(HttpRequest.newBuilder(configs(namespace, group, dataId, "&content=" + encode(content)))
                .POST(BodyPublishers.noBody()));
    }

    /** Deletes a document in the same way. */
    public void delete(String namespace, String group, String dataId) throws IOException {
        mustBeTrue(HttpRequest.newBuilder(configs(namespace, group, dataId, "")).DELETE());
    }

    @Override
    public void close() {
        kill();
    }

    /** Another process may take a port between our look and the server's. So a first start has three tries. */
    private void startAnew() throws IOException {
        for (int failures = 0; ; failures++) {
            port = freePort();
            process = launch();
            try {
                awaitReady();
                return;
            } catch (IOException failed) {
                kill();
                if (failures == 2) {
                    throw failed;
                }
            }
        }
    }

    private Process launch() throws IOException {
        Path built = root().resolve("testing/nacos-server/target");
        Path libraries = built.resolve("class-path");
        if (!Files.exists(libraries)) {
            throw new IOException(
                    libraries + " was missing, but must be built: ./mvnw -pl testing/nacos-server compile");
        }
        List<String> command = List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                // What is lost when the machine loses power is no matter here; what is written survives a kill all the
                // same.
                "-Dderby.system.durability=test",
                "-Duser.home=" + home,
                "-Dnacos.home=" + home,
                "-Dserver.port=" + port,
                "-cp",
                built.resolve("classes")
                        + System.getProperty("path.separator")
                        + Files.readString(libraries).strip(),
                "io.sluice.testing.nacos.NacosApplication");
        Process started = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        home.resolve("server.log").toFile()))
                .start();
        // A test JVM that is ended in the middle takes its server with it.
        Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
        return started;
    }

    private void awaitReady() throws IOException {
        long until = System.nanoTime() + READY_WITHIN.toNanos();
        while (!isReady()) {
            if (!process.isAlive()) {
                throw new IOException("Nacos ended before it was ready: " + lastLines());
            }
            if (System.nanoTime() > until) {
                throw new IOException("Nacos was not ready within " + READY_WITHIN + ": " + lastLines());
            }
            pause();
        }
    }

    /** Up, and delivering: what is published comes back. Right after it is up it may not. */
    private boolean isReady() {
        try {
            URI health = URI.create("http://127.0.0.1:" + port + "/nacos/actuator/health");
            if (send(HttpRequest.newBuilder(health)).statusCode() != 200) {
                return false;
            }
            String mark = Long.toString(System.nanoTime());
            put("fixture", "fixture", "warm-up", mark);
            for (int look = 0; look < 100; look++) {
                if (send(HttpRequest.newBuilder(configs("fixture", "fixture", "warm-up", "")))
                        .body()
                        .equals(mark)) {
                    return true;
                }
                pause();
            }
            return false;
        } catch (IOException notYet) {
            return false;
        }
    }

    private URI configs(String namespace, String group, String dataId, String more) {
        return URI.create("http://127.0.0.1:" + port + "/nacos/v1/cs/configs?tenant=" + encode(namespace) + "&group="
                + encode(group) + "&dataId=" + encode(dataId) + more);
    }

    private static void mustBeTrue(HttpRequest.Builder request) throws IOException {
        HttpResponse<String> answer = send(request);
        if (!answer.body().equals("true")) {
            throw new IOException("Nacos answered " + answer.statusCode() + " " + answer.body());
        }
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
        try {
            return HTTP.send(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException(stopped);
        }
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private String lastLines() throws IOException {
        List<String> lines = Files.readAllLines(home.resolve("server.log"), StandardCharsets.ISO_8859_1);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    }

    private static void pause() throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(50);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException(stopped);
        }
    }

    /** A port p so that p - 1000, p, p + 1000 and p + 1001, which Nacos takes by itself, are free as well. */
    private static int freePort() {
        while (true) {
            int candidate = ThreadLocalRandom.current().nextInt(12_000, 30_000);
            if (Stream.of(-1000, 0, 1000, 1001).allMatch(offset -> isFree(candidate + offset))) {
                return candidate;
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress((InetAddress) null, port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    private static Path root() {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("mvnw"))) {
                return folder;
            }
        }
        throw new IllegalStateException("the working directory was "
                + Path.of("").toAbsolutePath() + ", but must be in a copy of Sluice's sources");
    }
}
