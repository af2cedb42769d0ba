package io.sluice.server.outbound;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests and takes bounded answers, follows no redirect. Safe for all threads and blocks none: a question that
 * hangs costs its connection, for as long as an answer may take.
 */
public final class Outbound {
    private final HttpClient client;
    private final Duration longest;
    private final int largest;

    /**
     * @param longest how long an answer may take, its last byte included
     * @param largest how many bytes of body it may have
     * @param executor for what the client does, which is short
     */
    public Outbound(Duration longest, int largest, Executor executor) {
        this.longest = longest;
        this.largest = largest;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(longest)
                .executor(executor)
                .build();
    }

    /** Asks; the answer may have any status. What fails fails with a {@link NoAnswerException} as the cause. */
    public CompletableFuture<HttpResponse<byte[]>> ask(HttpRequest request) {
        CompletableFuture<HttpResponse<byte[]>> sent =
                client.sendAsync(request, response -> new BoundedBody(largest));
        // The client's own limit ends with the head of an answer.
        return sent.copy()
                .orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((response, failure) -> sent.cancel(true))
                .handle(this::whole);
    }

    private HttpResponse<byte[]> whole(HttpResponse<byte[]> response, @Nullable Throwable failure) {
        if (failure != null) {
            throw new CompletionException(described(failure));
        }
        return response;
    }

    private NoAnswerException described(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && (cause instanceof CompletionException || cause instanceof IOException)) {
            if (cause instanceof ConnectException) {
                break;
            }
            cause = cause.getCause();
        }
        if (cause instanceof NoAnswerException refused) {
            return refused;
        }
        if (cause instanceof TimeoutException) {
            return new NoAnswerException("no answer within " + longest.toSeconds() + " s");
        }
        return new NoAnswerException(
                cause instanceof ConnectException ? "no connection" : "no whole answer (" + cause.getMessage() + ")");
    }
}
