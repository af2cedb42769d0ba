package io.sluice.demo.inventory;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.core.problem.RefusedException;
import io.sluice.migration.branch.BusinessAnswerException;
import io.sluice.migration.branch.NothingHappenedException;
import io.sluice.migration.branch.UnknownOutcomeException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The inventory over HTTP, on the loopback address, for the demo. Everything is in the query:
 *
 * <pre>
 * POST /reserve?id=r-1&amp;order=o-1&amp;sku=sku-00001&amp;quantity=2    answers the reservation's id
 * POST /release?id=x-1&amp;reservation=nv-r-1
 * GET  /available?sku=sku-00001                              answers a number
 * POST /outcome?sku=sku-00001&amp;id=r-1                         answers HAPPENED or DID_NOT_HAPPEN, finally
 * GET  /figures                                              what this process has counted
 * POST /outage?millis=4000                                   cuts the new inventory off for so long
 * </pre>
 *
 * <p>The status tells how it ended: 200 done, 409 the inventory says no, 503 nothing has happened, 504 it may have happened or not
 * ({@code /outcome} tells), 400 no such request.
 */
final class InventoryApi {
    private static final Logger LOG = LoggerFactory.getLogger(InventoryApi.class);
    private static final Duration CALLER_WAITS = Duration.ofSeconds(3);
    private static final Duration LONGEST_OUTAGE = Duration.ofMinutes(1);
    private static final int THREADS = 16;
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int NO = 409;
    private static final int NOTHING_HAPPENED = 503;
    private static final int UNKNOWN = 504;

    private final InventoryService inventory;
    private final Interruptible newDatabase;
    private final Figures figures;

    InventoryApi(InventoryService inventory, Interruptible newDatabase, Figures figures) {
        this.inventory = inventory;
        this.newDatabase = newDatabase;
        this.figures = figures;
    }

    void start(int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        AtomicInteger threads = new AtomicInteger();
        server.setExecutor(Executors.newFixedThreadPool(
                THREADS, work -> new Thread(work, "inventory-http-" + threads.incrementAndGet())));
        serve(server, "/reserve", "POST", this::reserve);
        serve(server, "/release", "POST", this::release);
        serve(server, "/available", "GET", this::available);
        serve(server, "/outcome", "POST", this::outcome);
        serve(server, "/figures", "GET", query -> figures.json());
        serve(server, "/outage", "POST", this::outage);
        serve(server, "/actuator/health", "GET", query -> text("UP"));
        server.start();
    }

    private byte[] reserve(Query query) {
        ReserveRequest request =
                new ReserveRequest(query.text("id"), query.text("order"), query.text("sku"), query.number("quantity"));
        return text(inventory.reserve(request, CALLER_WAITS).id());
    }

    private byte[] release(Query query) {
        inventory.release(new ReleaseRequest(query.text("id"), query.text("reservation")), CALLER_WAITS);
        return text("");
    }

    private byte[] available(Query query) {
        return text(String.valueOf(inventory.available(query.text("sku"), CALLER_WAITS)));
    }

    private byte[] outcome(Query query) {
        return text(inventory
                .outcome(query.text("sku"), query.text("id"), CALLER_WAITS)
                .name());
    }

    private byte[] outage(Query query) {
        Duration time = Duration.ofMillis(query.number("millis"));
        if (time.isNegative() || time.compareTo(LONGEST_OUTAGE) > 0) {
            throw new RefusedException(
                    "millis", time.toMillis() + "", "must be within 0.." + LONGEST_OUTAGE.toMillis());
        }
        newDatabase.interrupt(time);
        LOG.info("the new inventory is cut off for {}", time);
        return text("");
    }

    private static void serve(HttpServer server, String path, String method, Answer answer) {
        server.createContext(path, exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                if (!exchange.getRequestMethod().equals(method)) {
                    send(exchange, BAD_REQUEST, text("must be " + method));
                    return;
                }
                answer(exchange, answer);
            }
        });
    }

    private static void answer(HttpExchange exchange, Answer answer) throws IOException {
        int status = OK;
        byte[] body;
        try {
            body = answer.to(Query.of(exchange.getRequestURI().getRawQuery()));
        } catch (RefusedException refused) {
            status = BAD_REQUEST;
            body = text(String.valueOf(refused.getMessage()));
        } catch (BusinessAnswerException no) {
            status = NO;
            body = text(String.valueOf(no.getMessage()));
        } catch (NothingHappenedException nothing) {
            status = NOTHING_HAPPENED;
            body = text(String.valueOf(nothing.getMessage()));
        } catch (UnknownOutcomeException unknown) {
            status = UNKNOWN;
            body = text(String.valueOf(unknown.getMessage()));
        } catch (RuntimeException undeclared) {
            LOG.warn("{} failed", exchange.getRequestURI(), undeclared);
            status = UNKNOWN;
            body = text(undeclared.toString());
        }
        send(exchange, status, body);
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** What one path does. */
    @FunctionalInterface
    private interface Answer {
        byte[] to(Query query);
    }

    /** The values of a query, by name; of one that is given twice the last one. */
    private record Query(Map<String, String> values) {
        static Query of(@Nullable String raw) {
            Map<String, String> values = new HashMap<>();
            for (String pair : raw == null || raw.isEmpty() ? new String[0] : raw.split("&")) {
                int equals = pair.indexOf('=');
                if (equals > 0) {
                    values.put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
                }
            }
            return new Query(values);
        }

        String text(String name) {
            return values.getOrDefault(name, "");
        }

        int number(String name) {
            String text = text(name);
            if (!text.matches("-?[0-9]{1,9}")) {
                throw new RefusedException(name, text.isEmpty() ? "empty" : text, "must be a whole number");
            }
            return Integer.parseInt(text);
        }

        private static String decoded(String text) {
            try {
                return URLDecoder.decode(text, StandardCharsets.UTF_8);
            } catch (IllegalArgumentException malformed) {
                throw new RefusedException("query", text, "must be encoded as in a form");
            }
        }
    }
}
