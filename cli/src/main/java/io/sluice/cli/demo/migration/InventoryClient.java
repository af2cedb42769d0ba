package io.sluice.cli.demo.migration;

import io.sluice.cli.demo.migration.Reply.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Asks the processes of the inventory, as the rest of a shop would. Thread-safe. */
final class InventoryClient {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(6);
    private static final int OK = 200;
    private static final int NO = 409;
    private static final int NOTHING_HAPPENED = 503;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http;

    /** @param executor runs what follows an answer */
    InventoryClient(Executor executor) {
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT)
                .executor(executor)
                .build();
    }

    /**
     * Sends a request to one router, and if that one can't be reached, the same to the other: with the same id it happens once.
     *
     * @param what path and query
     * @return never fails
     */
    CompletableFuture<Reply> send(String method, URI first, URI second, String what) {
        long begin = System.nanoTime();
        return attempt(method, first, what)
                .thenCompose(reply ->
                        reply.isPresent() ? CompletableFuture.completedFuture(reply) : attempt(method, second, what))
                .thenApply(reply -> {
                    long nanos = System.nanoTime() - begin;
                    return reply.map(answered -> new Reply(answered.kind(), answered.text(), nanos))
                            .orElseGet(() -> new Reply(Kind.NOTHING, "", nanos));
                });
    }

    /** Empty when there was nobody. */
    private CompletableFuture<Optional<Reply>> attempt(String method, URI router, String what) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(router + what))
                .timeout(TIMEOUT)
                .method(method, BodyPublishers.noBody())
                .build();
        return http.sendAsync(request, BodyHandlers.ofString()).handle(InventoryClient::reply);
    }

    private static Optional<Reply> reply(@Nullable HttpResponse<String> answer, @Nullable Throwable failure) {
        if (answer == null) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            return cause instanceof ConnectException
                    ? Optional.empty()
                    : Optional.of(new Reply(Kind.UNKNOWN, String.valueOf(cause), 0));
        }
        Kind kind =
                switch (answer.statusCode()) {
                    case OK -> Kind.DONE;
                    case NO -> Kind.NO;
                    case NOTHING_HAPPENED -> Kind.NOTHING;
                    default -> Kind.UNKNOWN;
                };
        return Optional.of(new Reply(kind, answer.body(), 0));
    }

    /** What a router has counted; empty when it does not answer. */
    Optional<JsonNode> figures(URI router) throws InterruptedException {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(router + "/figures"))
                    .timeout(TIMEOUT)
                    .build();
            HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
            return answer.statusCode() == OK ? Optional.of(JSON.readTree(answer.body())) : Optional.empty();
        } catch (IOException | JacksonException silent) {
            return Optional.empty();
        }
    }
}
