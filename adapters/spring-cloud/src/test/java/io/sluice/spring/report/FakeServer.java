package io.sluice.spring.report;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.spring.TestRules;
import io.sluice.wire.ObservationBatch;
import io.sluice.wire.ObservationBatchJson;
import io.sluice.wire.RuleSetJson;
import io.sluice.wire.WorkloadReport;
import io.sluice.wire.WorkloadReportJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** As much of a server as a process talks to. It has no stream, which is as good as one that broke. */
record FakeServer(HttpServer http, List<ObservationBatch> batches, List<WorkloadReport> workloads)
        implements AutoCloseable {
    static FakeServer open() throws IOException {
        FakeServer server = new FakeServer(
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0),
                new CopyOnWriteArrayList<>(),
                new CopyOnWriteArrayList<>());
        server.http.createContext(
                "/api/v1/rules", exchange -> answer(exchange, 200, RuleSetJson.write(TestRules.live(50))));
        server.http.createContext("/api/v1/rules/stream", exchange -> answer(exchange, 404, new byte[0]));
        server.http.createContext("/api/v1/observations", exchange -> {
            server.batches.add(
                    ObservationBatchJson.read(exchange.getRequestBody().readAllBytes()));
            answer(exchange, 204, new byte[0]);
        });
        server.http.createContext("/api/v1/workloads", exchange -> {
            server.workloads.add(
                    WorkloadReportJson.read(exchange.getRequestBody().readAllBytes()));
            answer(exchange, 204, new byte[0]);
        });
        server.http.start();
        return server;
    }

    String address() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    List<ObservationBatch.Entry> entries() {
        return batches.stream().flatMap(batch -> batch.entries().stream()).toList();
    }

    @Override
    public void close() {
        http.stop(0);
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }
}
