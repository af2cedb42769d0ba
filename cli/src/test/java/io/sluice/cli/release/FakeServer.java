package io.sluice.cli.release;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

/** A server on loopback that gives prepared answers, the last one again and again, and remembers what it was asked. */
public final class FakeServer implements AutoCloseable {
    private static final int BREAK_OFF = 0;

    private final HttpServer http;
    private final List<Asked> asked = new ArrayList<>();
    private final Deque<String> first = new ArrayDeque<>();
    private int status = 200;
    private String type = "application/json";
    private String body = "{}";

    public record Asked(String method, String path, String authorization, String body) {}

    public FakeServer() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", this::answer);
        http.start();
    }

    public String url() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    public void answers(int newStatus, String newType, String newBody) {
        status = newStatus;
        type = newType;
        body = newBody;
    }

    /** Bodies of the next good answers, before the other one. */
    public void answersFirst(String... bodies) {
        first.addAll(List.of(bodies));
    }

    /** Takes the request and closes the connection. */
    public void breaksOff() {
        status = BREAK_OFF;
    }

    public List<Asked> asked() {
        return List.copyOf(asked);
    }

    @Override
    public void close() {
        http.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        asked.add(new Asked(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                Objects.requireNonNullElse(authorization, ""),
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
        String next = first.poll();
        if (next != null) {
            send(exchange, 200, "application/json", next);
            return;
        }
        if (status == BREAK_OFF) {
            exchange.close();
            return;
        }
        send(exchange, status, type, body);
    }

    private static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
