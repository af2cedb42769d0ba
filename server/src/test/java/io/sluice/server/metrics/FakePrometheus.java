package io.sluice.server.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** What a Prometheus could answer, and what it never would. */
final class FakePrometheus implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<Asked> asked = new CopyOnWriteArrayList<>();

    /** A question as it came. */
    record Asked(String query, String authorization, long nanos) {}

    /** How a question is answered. */
    @FunctionalInterface
    interface Reply {
        void to(HttpExchange exchange) throws IOException, InterruptedException;
    }

    FakePrometheus(Function<String, Reply> replies) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        server.setExecutor(threads);
        server.createContext("/api/v1/query", exchange -> answer(exchange, replies));
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    List<Asked> asked() {
        return asked;
    }

    /** NOW in a body becomes the time of the answer. */
    static Reply body(int status, String body) {
        return exchange -> {
            double now = System.currentTimeMillis() / 1000.0;
            byte[] bytes = body.replace("NOW", String.valueOf(now)).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        };
    }

    static Reply result(String type, String result) {
        return body(
                200, "{\"status\":\"success\",\"data\":{\"resultType\":\"" + type + "\",\"result\":" + result + "}}");
    }

    static Reply number(double value) {
        return result("vector", "[{\"metric\":{},\"value\":[NOW,\"" + value + "\"]}]");
    }

    /** Bad and total of canary, then of stable. */
    static Reply counters(long canaryBad, long canary, long stableBad, long stable) {
        return result(
                "vector",
                "[" + part("canary_bad", canaryBad) + "," + part("canary_total", canary) + ","
                        + part("stable_bad", stableBad) + "," + part("stable_total", stable) + "]");
    }

    static String part(String name, Object value) {
        return "{\"metric\":{\"sluice_part\":\"" + name + "\"},\"value\":[NOW,\"" + value + "\"]}";
    }

    /** Says nothing until the end. */
    Reply hang() {
        return exchange -> over.await();
    }

    /** A body without end, as fast as it is read. */
    static Reply endless() {
        return exchange -> {
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            byte[] some = " ".repeat(8192).getBytes(StandardCharsets.US_ASCII);
            for (long sent = 0; sent < 1L << 30; sent += some.length) {
                out.write(some);
            }
        };
    }

    /** A body that comes and never ends. */
    Reply trickle() {
        return exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            over.await();
        };
    }

    static Reply redirect(String where) {
        return exchange -> {
            exchange.getResponseHeaders().set("Location", where);
            exchange.sendResponseHeaders(302, -1);
        };
    }

    /** Less than was promised. */
    static Reply half() {
        return exchange -> {
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().write("{\"status\":".getBytes(StandardCharsets.US_ASCII));
            throw new IOException("gone");
        };
    }

    private void answer(HttpExchange exchange, Function<String, Reply> replies) throws IOException {
        try (exchange) {
            String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII);
            String query = URLDecoder.decode(form.split("[=&]", 3)[1], StandardCharsets.UTF_8);
            String authorization = exchange.getRequestHeaders()
                    .getOrDefault("Authorization", List.of(""))
                    .get(0);
            asked.add(new Asked(query, authorization, System.nanoTime()));
            replies.apply(query).to(exchange);
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

    /** Answers by what is asked. */
    static Function<String, Reply> by(Map<String, Reply> replies) {
        return query -> replies.getOrDefault(query, body(404, ""));
    }
}
