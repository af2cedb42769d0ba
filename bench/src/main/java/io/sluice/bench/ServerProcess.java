package io.sluice.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server of ours in a process of its own, as the demo starts it, with nothing in it. */
final class ServerProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("Sluice server ready on (http://\\S+)");
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);
    private static final int MEGABYTES = 160;
    private static final JsonMapper JSON = new JsonMapper();

    private final String token = UUID.randomUUID().toString();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Path data;
    private final Process process;
    private final URI address;

    ServerProcess(Path jar) throws IOException {
        if (!Files.isRegularFile(jar)) {
            throw new IllegalStateException("--server was " + jar + ", but must be the server's jar; build it with"
                    + " ./mvnw -q -pl server -am package -DskipTests");
        }
        data = Files.createTempDirectory("sluice-delay");
        ProcessBuilder command = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + MEGABYTES + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-jar",
                jar.toString(),
                "--port",
                "0",
                "--data",
                data.toString());
        command.environment().put("SLUICE_SETUP_TOKEN", token);
        process = command.redirectErrorStream(true).start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        address = awaitReady();
    }

    URI address() {
        return address;
    }

    /** Returns once the server has answered that it was done. */
    void post(String path, byte[] json) {
        send(
                path,
                request -> request.header("Content-Type", "application/json").POST(BodyPublishers.ofByteArray(json)));
    }

    JsonNode get(String path) {
        return JSON.readTree(send(path, HttpRequest.Builder::GET));
    }

    private String send(String path, UnaryOperator<HttpRequest.Builder> what) {
        HttpRequest request = what.apply(HttpRequest.newBuilder(URI.create(address + path))
                        .timeout(ANSWER_WITHIN)
                        .header("Authorization", "Bearer " + token))
                .build();
        try {
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            if (answer.statusCode() / 100 != 2) {
                throw new IllegalStateException(path + " was answered " + answer.statusCode() + ": " + answer.body());
            }
            return answer.body();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", stop);
        }
    }

    @Override
    public void close() throws Exception {
        process.destroyForcibly().waitFor();
        List<Path> files;
        try (Stream<Path> found = Files.walk(data)) {
            files = found.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }

    private URI awaitReady() throws IOException {
        StringBuilder said = new StringBuilder();
        BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            Matcher ready = READY.matcher(line);
            if (ready.matches()) {
                swallowTheRest();
                return URI.create(ready.group(1));
            }
            said.append(line).append(System.lineSeparator());
        }
        throw new IllegalStateException("the server ended before it was ready: " + said);
    }

    /** So that it never waits for somebody to read what it says. */
    private void swallowTheRest() {
        Thread reader = new Thread(() -> {
            try {
                process.getInputStream().transferTo(OutputStream.nullOutputStream());
            } catch (IOException ended) {
                // There is no more.
            }
        });
        reader.setDaemon(true);
        reader.start();
    }
}
