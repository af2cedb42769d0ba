package io.sluice.wire.remote;

import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import io.sluice.wire.JsonText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The server's data plane, as HTTP requests. No method blocks or throws: failures are in the futures. */
final class DataPlane {
    static final int OK = 200;
    static final int NOT_MODIFIED = 304;

    private static final int LARGEST_ANSWER = 1 << 20;
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(2);

    private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]{1,4096}");

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_WITHIN)
            .build();
    private final String base;
    private final @Nullable String token;

    /** @throws RefusedException when the address is none of a server, or the token cannot be sent */
    DataPlane(URI server, @Nullable String token) {
        Problems problems = new Problems();
        problems.require(
                isAddress(server),
                "server",
                server,
                "must be an address like http://127.0.0.1:7070: http or https, host, port, perhaps a path");
        // A token never shows up in a message.
        problems.require(
                token == null || TOKEN.matcher(token).matches(),
                "token",
                token == null ? "missing" : token.length() + " characters",
                "must have 1..4096 printable ASCII characters, no space");
        problems.throwIfAny();
        String address = server.toString();
        this.base = address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
        this.token = token;
    }

    private static boolean isAddress(URI server) {
        boolean isWeb = "http".equals(server.getScheme()) || "https".equals(server.getScheme());
        return isWeb
                && server.getHost() != null
                && server.getPort() <= 65_535
                && server.getRawUserInfo() == null
                && server.getRawQuery() == null
                && server.getRawFragment() == null;
    }

    /** The current rules, unless they are still those of {@code known}. */
    CompletableFuture<HttpResponse<byte[]>> readRules(Revision known, Duration within) {
        HttpRequest request = request("/api/v1/rules")
                .header("Accept", "application/json")
                .header("If-None-Match", "\"" + known + "\"")
                .build();
        return bounded(client.sendAsync(request, answer -> new BoundedBody(LARGEST_ANSWER)), within);
    }

    /**
     * The stream of rules. The future ends when the stream does, with the status of the answer; cancelling it cuts the
     * connection.
     */
    CompletableFuture<HttpResponse<Void>> openStream(Flow.Subscriber<List<ByteBuffer>> body) {
        HttpRequest request = request("/api/v1/rules/stream")
                .header("Accept", "text/event-stream")
                .build();
        BodyHandler<Void> handler = answer ->
                answer.statusCode() == OK ? BodySubscribers.fromSubscriber(body) : BodySubscribers.replacing(null);
        return client.sendAsync(request, handler);
    }

    CompletableFuture<HttpResponse<Void>> postObservations(byte[] json, Duration within) {
        return post("/api/v1/observations", json, within);
    }

    CompletableFuture<HttpResponse<Void>> postWorkload(byte[] json, Duration within) {
        return post("/api/v1/workloads", json, within);
    }

    /** @param migration its name, which needs no encoding */
    CompletableFuture<HttpResponse<byte[]>> postMigrationReport(String migration, byte[] json, Duration within) {
        HttpRequest request = posting("/api/v1/migrations/" + migration + "/reports", json);
        return bounded(client.sendAsync(request, answer -> new BoundedBody(JsonText.LARGEST_LISTS)), within);
    }

    private CompletableFuture<HttpResponse<Void>> post(String path, byte[] json, Duration within) {
        return bounded(client.sendAsync(posting(path, json), HttpResponse.BodyHandlers.discarding()), within);
    }

    private HttpRequest posting(String path, byte[] json) {
        return request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(json))
                .build();
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }

    /** The client's own time-out ends with the headers; this one spans the whole answer, and frees the connection. */
    private static <T> CompletableFuture<T> bounded(CompletableFuture<T> answer, Duration within) {
        CompletableFuture<T> bounded = answer.copy().orTimeout(within.toMillis(), TimeUnit.MILLISECONDS);
        return bounded.whenComplete((response, failure) -> {
            if (failure != null) {
                answer.cancel(true);
            }
        });
    }

    /** Collects a body, and gives up on one that is too large instead of holding it. */
    private static final class BoundedBody implements BodySubscriber<byte[]> {
        private final BodySubscriber<byte[]> whole = BodySubscribers.ofByteArray();
        private final CompletableFuture<byte[]> body = whole.getBody().toCompletableFuture();
        private final int most;
        private long received;
        private Flow.@Nullable Subscription subscription;

        BoundedBody(int most) {
            this.most = most;
        }

        @Override
        public CompletableFuture<byte[]> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            this.subscription = subscription;
            whole.onSubscribe(subscription);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                received += buffer.remaining();
            }
            if (received <= most) {
                whole.onNext(buffers);
            } else if (subscription != null) {
                subscription.cancel();
                whole.onError(new IOException("the answer is larger than " + most + " bytes"));
            }
        }

        @Override
        public void onError(Throwable failure) {
            whole.onError(failure);
        }

        @Override
        public void onComplete() {
            whole.onComplete();
        }
    }
}
