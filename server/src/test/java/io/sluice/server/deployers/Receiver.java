package io.sluice.server.deployers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A real HTTP server at the other end; answers as it is told, and keeps what it got. */
public final class Receiver implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<Got> got = new CopyOnWriteArrayList<>();
    private volatile Reply reply = answer(200, "{\"state\":\"done\"}");

    /** A request as it came. */
    public record Got(String method, String path, Map<String, List<String>> headers, String body) {
        public String header(String name) {
            return headers.getOrDefault(name, List.of("")).get(0);
        }
    }

    @FunctionalInterface
    public interface Reply {
        void to(HttpExchange exchange) throws IOException, InterruptedException;
    }

    public Receiver() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        server.setExecutor(threads);
        server.createContext("/", this::take);
        server.start();
    }

    public URI url(String path) {
        return URI.create("http://127.0.0.1:" + port() + path);
    }

    int port() {
        return server.getAddress().getPort();
    }

    public List<Got> got() {
        return got;
    }

    public void replies(Reply next) {
        reply = next;
    }

    public static Reply answer(int status, String body) {
        return exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        };
    }

    static Reply redirect(URI to) {
        return exchange -> {
            exchange.getResponseHeaders().set("Location", to.toString());
            exchange.sendResponseHeaders(302, -1);
        };
    }

    /** A good answer that is longer than anybody reads. */
    static Reply endless() {
        return exchange -> {
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            out.write("{\"state\":\"done\",\"note\":\"".getBytes(StandardCharsets.US_ASCII));
            byte[] some = "x".repeat(8192).getBytes(StandardCharsets.US_ASCII);
            for (long sent = 0; sent < 1L << 28; sent += some.length) {
                out.write(some);
            }
        };
    }

    /** Says nothing until the end. */
    Reply hang() {
        return exchange -> over.await();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            got.add(new Got(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    Map.copyOf(exchange.getRequestHeaders()),
                    body));
            reply.to(exchange);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        over.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
