package io.sluice.cli.demo.load;

import io.sluice.core.tag.TagCodec;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Sends visits to the shop as a browser or an app would. Thread-safe. */
public final class ShopClient {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http;

    /** @param executor runs what follows an answer */
    public ShopClient(Executor executor) {
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT)
                .executor(executor)
                .build();
    }

    /** Places an order; the future never fails, an answer that did not come has status 0. */
    public CompletableFuture<Answer> order(URI shop, Visit visit) {
        return get(shop.resolve("/orders/" + visit.number()), visit);
    }

    /** Asks one service, at an address of its own or through the gateway. */
    public CompletableFuture<Answer> get(URI address, Visit visit) {
        long sent = System.nanoTime();
        return http.sendAsync(request(address, visit), HttpResponse.BodyHandlers.ofByteArray())
                .handle((response, failure) -> answer(visit, sent, response));
    }

    private static HttpRequest request(URI address, Visit visit) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(TIMEOUT);
        if (visit.who().customer().isEmpty()) {
            request.header("X-Request-Id", visit.who().requestId());
        } else {
            request.header("X-User-Id", visit.who().customer());
        }
        if (visit.hasTag()) {
            request.header(TagCodec.HEADER, visit.tag());
        }
        return request.build();
    }

    private static Answer answer(Visit visit, long sent, @Nullable HttpResponse<byte[]> response) {
        long now = System.nanoTime();
        return response == null
                ? new Answer(visit, sent, now, 0, List.of())
                : new Answer(visit, sent, now, response.statusCode(), trace(response.body()));
    }

    private static List<Hop> trace(byte[] body) {
        List<Hop> trace = new ArrayList<>();
        try {
            for (JsonNode hop : JSON.readTree(body).path("trace")) {
                trace.add(new Hop(
                        hop.path("service").asString(""),
                        hop.path("version").asString(""),
                        hop.path("color").asString("")));
            }
        } catch (JacksonException noJson) {
            return List.of();
        }
        return trace;
    }
}
