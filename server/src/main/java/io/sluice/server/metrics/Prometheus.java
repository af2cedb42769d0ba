package io.sluice.server.metrics;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks one Prometheus by its HTTP API. Safe for all threads and blocks none: a question that hangs costs its connection,
 * for {@link #LONGEST}.
 */
final class Prometheus {
    /** How long a question may take, the last byte of its answer included. */
    static final Duration LONGEST = Duration.ofSeconds(5);

    /** How large an answer may be. A number with its labels has less than one KiB; many answers come at once. */
    static final int LARGEST = 64 * 1024;

    private final HttpClient client;
    private final URI query;
    private final String token;
    private final InstantSource clock;

    /**
     * @param base where it is, without {@code /api/v1}
     * @param token what it is shown as a bearer token; empty for none
     * @param executor for what the client does, which is short
     */
    Prometheus(URI base, String token, InstantSource clock, Executor executor) {
        String path = base.toString().replaceFirst("/+$", "");
        this.query = URI.create(path + "/api/v1/query");
        this.token = token;
        this.clock = clock;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(LONGEST)
                .executor(executor)
                .build();
    }

    /** Asks for the numbers of now. What fails fails with a {@link SourceException}. */
    CompletableFuture<List<Sample>> ask(String promql) {
        CompletableFuture<HttpResponse<byte[]>> sent =
                client.sendAsync(request(promql), response -> new BoundedBody(LARGEST));
        // The client's own limit ends with the head of an answer.
        return sent.copy()
                .orTimeout(LONGEST.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((response, failure) -> sent.cancel(true))
                .handle(this::read);
    }

    private HttpRequest request(String promql) {
        String form =
                "query=" + URLEncoder.encode(promql, StandardCharsets.UTF_8) + "&timeout=" + LONGEST.toSeconds() + "s";
        HttpRequest.Builder request = HttpRequest.newBuilder(query)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Accept", "application/json")
                .POST(BodyPublishers.ofString(form));
        return (token.isEmpty() ? request : request.header("Authorization", "Bearer " + token)).build();
    }

    private List<Sample> read(HttpResponse<byte[]> response, Throwable failure) {
        try {
            if (failure != null) {
                throw described(failure);
            }
            return InstantAnswer.read(response.statusCode(), response.body(), clock.instant());
        } catch (SourceException refused) {
            throw new CompletionException(refused);
        }
    }

    private static SourceException described(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && (cause instanceof CompletionException || cause instanceof IOException)) {
            if (cause instanceof ConnectException) {
                break;
            }
            cause = cause.getCause();
        }
        if (cause instanceof SourceException refused) {
            return refused;
        }
        if (cause instanceof TimeoutException) {
            return new SourceException("no answer within " + LONGEST.toSeconds() + " s");
        }
        return new SourceException(
                cause instanceof ConnectException ? "no connection" : "no whole answer (" + cause.getMessage() + ")");
    }
}
