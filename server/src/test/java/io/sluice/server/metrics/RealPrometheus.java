package io.sluice.server.metrics;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The Prometheus of this machine, which looks at one target four times a second. */
final class RealPrometheus implements AutoCloseable {
    static final String PROGRAM = "/usr/bin/prometheus";

    private final Process process;
    private final URI url;

    private RealPrometheus(Process process, URI url) {
        this.process = process;
        this.url = url;
    }

    static RealPrometheus watching(URI target, Path directory) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Path config = Files.writeString(directory.resolve("prometheus.yml"), """
                global:
                  scrape_interval: 250ms
                  scrape_timeout: 250ms
                scrape_configs:
                  - job_name: shop
                    static_configs:
                      - targets: ["%s"]
                """.formatted(target.getAuthority()));
        Process process = new ProcessBuilder(
                        PROGRAM,
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + directory.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("prometheus.log").toFile())
                .start();
        return new RealPrometheus(process, URI.create("http://127.0.0.1:" + port));
    }

    URI url() {
        return url;
    }

    boolean isReady() throws InterruptedException {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(url.resolve("/-/ready")).build();
            return HttpClient.newHttpClient()
                            .send(request, BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }
}
