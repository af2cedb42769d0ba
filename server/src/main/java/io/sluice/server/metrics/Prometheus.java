package io.sluice.server.metrics;

import io.sluice.server.outbound.Outbound;
import java.net.URI;
import java.net.URLEncoder;
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
import org.jspecify.annotations.Nullable;

/**
 * Asks one Prometheus by its HTTP API. Safe for all threads and blocks none: a question that hangs costs its connection,
 * for {@link #LONGEST}.
 */
final class Prometheus {
    /** How long a question may take, the last byte of its answer included. */
    static final Duration LONGEST = Duration.ofSeconds(5);

    /** How large an answer may be. A number with its labels has less than one KiB; many answers come at once. */
    static final int LARGEST = 64 * 1024;

    private final Outbound outbound;
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
        this.outbound = new Outbound(LONGEST, LARGEST, executor);
    }

    /** Asks for the numbers of now. What fails fails with a {@link SourceException}. */
    CompletableFuture<List<Sample>> ask(String promql) {
        return outbound.ask(request(promql)).handle(this::read);
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

    private List<Sample> read(HttpResponse<byte[]> response, @Nullable Throwable failure) {
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
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
        return new SourceException(String.valueOf(cause.getMessage()));
    }
}
