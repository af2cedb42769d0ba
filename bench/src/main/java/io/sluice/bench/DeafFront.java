package io.sluice.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/** Stands before a server as a proxy that is broken in one way: reads go through, and streams open without a single event. */
final class DeafFront implements AutoCloseable {
    private static final int THREADS = 8;
    private static final int NO_BODY = -1;

    private final URI server;
    private final int mostStreams;
    private final HttpServer front;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final BlockingQueue<HttpExchange> streams = new LinkedBlockingQueue<>();

    /** @param followers how many there are, each with one stream at a time */
    DeafFront(URI server, int followers) throws IOException {
        this.server = server;
        this.mostStreams = 2 * followers;
        this.front = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        front.createContext("/api/v1/rules", this::passOn);
        front.createContext("/api/v1/rules/stream", this::sayNothing);
        front.setExecutor(threads);
        front.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + front.getAddress().getPort());
    }

    @Override
    public void close() {
        front.stop(0);
        threads.shutdownNow();
    }

    private void sayNothing(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().flush();
        streams.add(exchange);
        // A follower gives a silent stream up and opens another, so the oldest of so many is nobody's any more.
        while (streams.size() > mostStreams) {
            streams.remove().close();
        }
    }

    private void passOn(HttpExchange exchange) throws IOException {
        try (exchange) {
            HttpRequest.Builder request = HttpRequest.newBuilder(
                    URI.create(server + exchange.getRequestURI().toString()));
            String known = exchange.getRequestHeaders().getFirst("If-None-Match");
            if (known != null) {
                request.header("If-None-Match", known);
            }
            HttpResponse<byte[]> answer = client.send(request.build(), BodyHandlers.ofByteArray());
            byte[] body = answer.body();
            exchange.sendResponseHeaders(answer.statusCode(), body.length == 0 ? NO_BODY : body.length);
            if (body.length > 0) {
                exchange.getResponseBody().write(body);
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }
}
