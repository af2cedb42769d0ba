package io.sluice.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of a server under test. */
public record Api(URI server, String token, Duration within) {
    private static final HttpClient CLIENT = newClient();
    private static final JsonMapper JSON = new JsonMapper();

    public Api(URI server, String token) {
        this(server, token, Duration.ofSeconds(60));
    }

    /** An answer, its body as a tree; null when there is none. */
    public record Answer(int status, JsonNode body, HttpResponse<byte[]> raw) {}

    public Answer get(String path) {
        return send(request(path).GET());
    }

    public Answer post(String path, String body) {
        return send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)));
    }

    public Answer delete(String path) {
        return send(request(path).DELETE());
    }

    public Api withToken(String other) {
        return new Api(server, other, within);
    }

    /** The same client, which waits so long for an answer. */
    public Api within(Duration most) {
        return new Api(server, token, most);
    }

    public InputStream stream(String path) throws IOException, InterruptedException {
        return sendOnceMoreIfClosed(request(path).GET().build(), BodyHandlers.ofInputStream())
                .body();
    }

    public HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(server + path)).timeout(within);
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    public Answer send(HttpRequest.Builder request) {
        try {
            HttpResponse<byte[]> response = sendOnceMoreIfClosed(request.build(), BodyHandlers.ofByteArray());
            boolean json = response.headers()
                    .firstValue("Content-Type")
                    .filter(type -> type.contains("json"))
                    .isPresent();
            return new Answer(response.statusCode(), json ? JSON.readTree(response.body()) : null, response);
        } catch (IOException failed) {
            throw new IllegalStateException("no answer from " + server, failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", stopped);
        }
    }

    /**
     * A kept connection may be closed by the server in the moment in which it is used again; nothing was read then. Where one
     * was, another one may be: so the second time is on a connection of its own.
     */
    private static <T> HttpResponse<T> sendOnceMoreIfClosed(HttpRequest request, HttpResponse.BodyHandler<T> body)
            throws IOException, InterruptedException {
        try {
            return CLIENT.send(request, body);
        } catch (IOException failed) {
            if (String.valueOf(failed.getMessage()).contains("received no bytes")) {
                return newClient().send(request, body);
            }
            throw failed;
        }
    }

    private static HttpClient newClient() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    /** A release of one service with two stages, held so. */
    public static String release(String id, String service, String hold) {
        return """
                {"id":"%s","version":"v2","services":["%s"],
                 "plan":{"stages":[{"percent":10,"hold":"%s"},{"percent":100,"hold":"%s"}]},
                 "guard":{"minSamples":10,"maxErrorRate":0.02,"maxP99":"300ms"}}
                """.formatted(id, service, hold, hold);
    }

    /** A batch with one entry; all requests in one latency bucket. */
    public static String batch(
            String service, long sequence, String release, long step, String lane, long count, long failed) {
        return """
                {"instance":"%s@here","service":"%s","version":"v2","run":1,"sequence":%d,"entries":[
                 {"release":"%s","step":%d,"lane":"%s","count":%d,"failed":%d,"slow":0,"latencies":{"300":%d}}]}
                """.formatted(service, service, sequence, release, step, lane, count, failed, count);
    }
}
