package io.sluice.wire.remote;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.core.rule.RuleSet;
import io.sluice.migration.plan.Directive;
import io.sluice.wire.ObservationBatch;
import io.sluice.wire.ObservationBatchJson;
import io.sluice.wire.RuleSetJson;
import io.sluice.wire.WorkloadReport;
import io.sluice.wire.WorkloadReportJson;
import io.sluice.wire.migration.DirectiveJson;
import io.sluice.wire.migration.EvidenceReport;
import io.sluice.wire.migration.EvidenceReportJson;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The data plane on loopback, in the hands of a test. */
final class FakeServer implements AutoCloseable {
    /** Beats so often, far more than a real server. */
    private static final long BEAT_MILLIS = 20;

    final List<ObservationBatch> batches = new CopyOnWriteArrayList<>();
    final List<WorkloadReport> workloads = new CopyOnWriteArrayList<>();
    final List<String> migrationPaths = new CopyOnWriteArrayList<>();

    /** What routers told that was kept. */
    final List<EvidenceReport> evidence = new CopyOnWriteArrayList<>();

    final List<String> authorizations = new CopyOnWriteArrayList<>();
    final AtomicInteger reads = new AtomicInteger();

    /** What a full read answers. */
    volatile byte[] document = RuleSetJson.write(RuleSet.empty());

    volatile String revision = "0.0";
    volatile int readStatus = 200;

    /** 0 to take what is posted and cut the connection instead of answering. */
    volatile int postStatus = 204;

    /** What reports of migrations are answered with status 200. */
    volatile byte[] directive = DirectiveJson.write(Directive.start("inventory"));

    /** 0 to keep what is posted and cut the connection in the middle of the answer. */
    volatile int migrationStatus = 200;

    /** Whether streams say anything after they have opened. */
    volatile boolean isSilent;

    /** Whether streams carry rules, or swallow them. */
    volatile boolean isDeliveringRules = true;

    volatile boolean isBeating = true;

    private final List<LinkedBlockingQueue<String>> streams = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private int port;
    private HttpServer http;

    static FakeServer started() {
        FakeServer server = new FakeServer();
        server.start();
        return server;
    }

    static FakeServer of(RuleSet rules) {
        FakeServer server = started();
        server.publish(rules);
        return server;
    }

    /** Starts, after a {@link #stop()} on the same port as before. */
    void start() {
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException taken) {
            throw new UncheckedIOException(taken);
        }
        port = http.getAddress().getPort();
        http.setExecutor(threads);
        http.createContext("/api/v1/rules", exchange -> answer(exchange, this::read));
        http.createContext("/api/v1/rules/stream", exchange -> answer(exchange, this::stream));
        http.createContext("/api/v1/observations", exchange -> answer(exchange, this::observe));
        http.createContext("/api/v1/workloads", exchange -> answer(exchange, this::noteWorkload));
        http.createContext("/api/v1/migrations/", exchange -> answer(exchange, this::noteEvidence));
        http.start();
    }

    void stop() {
        http.stop(0);
        cutStreams();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + port);
    }

    void publish(RuleSet rules) {
        document = RuleSetJson.write(rules);
        revision = Revision.of(rules).toString();
        push(document);
    }

    /** Sends an event, whatever a full read would answer. */
    void push(byte[] json) {
        if (isDeliveringRules) {
            streams.forEach(stream -> stream.add(event("rules", new String(json, UTF_8))));
        }
    }

    void cutStreams() {
        streams.forEach(stream -> stream.add(""));
    }

    int openStreams() {
        return streams.size();
    }

    @Override
    public void close() {
        stop();
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange, Handler handler) throws IOException {
        authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        try (exchange) {
            handler.handle(exchange);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(HttpExchange exchange) throws IOException {
        reads.incrementAndGet();
        String etag = "\"" + revision + "\"";
        if (readStatus == 200 && etag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
            exchange.sendResponseHeaders(304, -1);
            return;
        }
        byte[] body = readStatus == 200 ? document : new byte[0];
        exchange.getResponseHeaders().set("ETag", etag);
        exchange.sendResponseHeaders(readStatus, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    private void stream(HttpExchange exchange) throws IOException, InterruptedException {
        var events = new LinkedBlockingQueue<String>();
        try {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            out.write(
                    isDeliveringRules
                            ? event("rules", new String(document, UTF_8)).getBytes(UTF_8)
                            : new byte[0]);
            out.flush();
            // From here on it is open to tests: what they publish is an event beside the document that was written.
            streams.add(events);
            while (true) {
                String next = events.poll(BEAT_MILLIS, TimeUnit.MILLISECONDS);
                if ("".equals(next)) {
                    return;
                }
                String text = next == null && isBeating ? event("beat", revision) : next;
                if (text != null && !isSilent) {
                    out.write(text.getBytes(UTF_8));
                    out.flush();
                }
            }
        } finally {
            streams.remove(events);
        }
    }

    private void observe(HttpExchange exchange) throws IOException {
        ObservationBatch batch =
                ObservationBatchJson.read(exchange.getRequestBody().readAllBytes());
        batches.add(batch);
        answerPost(exchange);
    }

    private void noteWorkload(HttpExchange exchange) throws IOException {
        workloads.add(WorkloadReportJson.read(exchange.getRequestBody().readAllBytes()));
        answerPost(exchange);
    }

    private void noteEvidence(HttpExchange exchange) throws IOException {
        int status = migrationStatus;
        byte[] answer = directive;
        migrationPaths.add(exchange.getRequestURI().getPath());
        EvidenceReport report =
                EvidenceReportJson.read(exchange.getRequestBody().readAllBytes());
        if (status / 100 == 2 || status == 0) {
            evidence.add(report);
        }
        exchange.sendResponseHeaders(status == 0 ? 200 : status, status == 200 || status == 0 ? answer.length : -1);
        if (status == 200) {
            exchange.getResponseBody().write(answer);
        } else if (status == 0) {
            exchange.getResponseBody().write(answer, 0, answer.length / 2);
            exchange.getResponseBody().flush();
        }
    }

    private void answerPost(HttpExchange exchange) throws IOException {
        if (postStatus != 0) {
            exchange.sendResponseHeaders(postStatus, -1);
        }
    }

    private static String event(String name, String data) {
        return "event: " + name + "\ndata: " + data + "\n\n";
    }

    private interface Handler {
        void handle(HttpExchange exchange) throws IOException, InterruptedException;
    }
}
