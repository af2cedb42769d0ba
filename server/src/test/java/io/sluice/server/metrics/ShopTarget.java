package io.sluice.server.metrics;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** What counts the requests of both lanes and shows them to a Prometheus: 1,000 a second, a fifth on canary. */
final class ShopTarget implements AutoCloseable {
    private final ScheduledExecutorService customers = Executors.newSingleThreadScheduledExecutor();
    private final InetSocketAddress address;
    private HttpServer server;
    private double canaryErrors = 0.005;
    private double canary;
    private double canaryBad;
    private double stable;
    private double stableBad;

    ShopTarget() throws IOException {
        this.server = listening(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        this.address = server.getAddress();
        customers.scheduleAtFixedRate(this::shop, 0, 20, TimeUnit.MILLISECONDS);
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + address.getPort());
    }

    synchronized void failOnCanary(double share) {
        canaryErrors = share;
    }

    /** All counters start again, as in a new process. */
    synchronized void restart() {
        canary = 0;
        canaryBad = 0;
        stable = 0;
        stableBad = 0;
    }

    void disappear() {
        server.stop(0);
    }

    void appear() throws IOException {
        server = listening(address);
    }

    @Override
    public void close() {
        customers.shutdownNow();
        server.stop(0);
    }

    private synchronized void shop() {
        canary += 4;
        canaryBad += 4 * canaryErrors;
        stable += 16;
        stableBad += 16 * 0.005;
    }

    private synchronized String text() {
        return meters("canary", canary, canaryBad)
                + meters("stable", stable, stableBad)
                + line("requests", "canary", canary)
                + line("failures", "canary", canaryBad)
                + line("requests", "stable", stable)
                + line("failures", "stable", stableBad);
    }

    /** As Micrometer writes our starter's timer; what fails is slow, too. */
    private static String meters(String lane, double all, double bad) {
        String name = "sluice_requests_seconds";
        String labels = "{lane=\"" + lane + "\",service=\"order.api\",outcome=";
        String ok = Math.floor(all) - Math.floor(bad) + "\n";
        String failed = Math.floor(bad) + "\n";
        return name + "_count" + labels + "\"ok\"} " + ok
                + name + "_count" + labels + "\"failed\"} " + failed
                + name + "_bucket" + labels + "\"ok\",le=\"0.1\"} " + ok
                + name + "_bucket" + labels + "\"ok\",le=\"0.5\"} " + ok
                + name + "_bucket" + labels + "\"ok\",le=\"1.0\"} " + ok
                + name + "_bucket" + labels + "\"ok\",le=\"+Inf\"} " + ok
                + name + "_bucket" + labels + "\"failed\",le=\"0.1\"} 0\n"
                + name + "_bucket" + labels + "\"failed\",le=\"0.5\"} 0\n"
                + name + "_bucket" + labels + "\"failed\",le=\"1.0\"} " + failed
                + name + "_bucket" + labels + "\"failed\",le=\"+Inf\"} " + failed;
    }

    private static String line(String what, String lane, double value) {
        return "shop_" + what + "_total{lane=\"" + lane + "\",release=\"real\"} " + Math.floor(value) + "\n";
    }

    private HttpServer listening(InetSocketAddress at) throws IOException {
        HttpServer listening = HttpServer.create(at, 0);
        listening.createContext("/metrics", exchange -> {
            try (exchange) {
                byte[] body = text().getBytes(StandardCharsets.US_ASCII);
                exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        listening.start();
        return listening;
    }
}
