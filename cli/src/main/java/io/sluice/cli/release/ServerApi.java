package io.sluice.cli.release;

import io.sluice.cli.terminal.CommandFailedException;
import io.sluice.core.problem.RefusedException;
import io.sluice.wire.ProblemJson;
import io.sluice.wire.ProblemReport;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The server's API for people, one call at a time. Follows no redirect, so that the token goes nowhere else.
 *
 * <p>A call throws {@link RefusedException} when the server refused it and named the problems, and {@link
 * CommandFailedException} for everything else. After an answer that never came, whether a command took effect is
 * unknown, and the message says so.
 */
public final class ServerApi {
    private static final Duration CONNECT = Duration.ofSeconds(3);
    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final int UNAUTHORIZED = 401;
    private static final int NO_CONTENT = 204;
    private static final String DOUBT = "; it may have taken effect: look before you try again";
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .build();

    private final URI server;
    private final String token;
    private final HttpClient client;

    /** @param token sent with each call; empty for none */
    public ServerApi(URI server, String token) {
        this.server = server;
        this.token = token;
        this.client = HttpClient.newBuilder()
                .connectTimeout(CONNECT)
                .version(HttpClient.Version.HTTP_1_1)
                .build();
    }

    public JsonNode get(String path) {
        return call(request(path).GET().build(), "");
    }

    public JsonNode post(String path, byte[] body) {
        HttpRequest request = request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        return call(request, DOUBT);
    }

    public void delete(String path) {
        call(request(path).DELETE().build(), DOUBT);
    }

    /** A body of these members. */
    public static byte[] body(Object members) {
        return MAPPER.writeValueAsBytes(members);
    }

    /** A document with another reason in it. @param json one that was read before, so it is an object */
    static byte[] withWhy(byte[] json, String why) {
        return MAPPER.writeValueAsBytes(((ObjectNode) MAPPER.readTree(json)).put("why", why));
    }

    /** A part of an answer on one line. */
    public static String line(JsonNode node) {
        return MAPPER.writeValueAsString(node);
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path))
                .header("Accept", "application/json, " + ProblemJson.MEDIA_TYPE);
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    private JsonNode call(HttpRequest request, String doubt) {
        HttpResponse<byte[]> response = send(request, doubt);
        if (response.statusCode() / 100 != 2) {
            throw refusal(response);
        }
        if (response.statusCode() == NO_CONTENT) {
            return MAPPER.missingNode();
        }
        try {
            return MAPPER.readTree(response.body());
        } catch (JacksonException notJson) {
            throw stranger(response);
        }
    }

    private HttpResponse<byte[]> send(HttpRequest request, String doubt) {
        var answer = client.sendAsync(request, BodyHandlers.ofByteArray());
        try {
            // Awaited here, since the client's own time-out ends with the headers.
            return answer.get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException silent) {
            answer.cancel(true);
            throw new CommandFailedException(
                    "server " + server + " did not answer within " + ANSWER.toSeconds() + " s" + doubt);
        } catch (ExecutionException failed) {
            throw unanswered(failed.getCause(), doubt);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("stopped while the server was asked" + doubt);
        }
    }

    private CommandFailedException unanswered(@Nullable Throwable cause, String doubt) {
        if (cause instanceof HttpConnectTimeoutException) {
            return unreachable("no connection within " + CONNECT.toSeconds() + " s");
        }
        if (cause instanceof ConnectException) {
            return unreachable(
                    cause.getCause() instanceof UnresolvedAddressException ? "unknown host" : "connection refused");
        }
        String why = cause instanceof IOException ? String.valueOf(cause.getMessage()) : String.valueOf(cause);
        return new CommandFailedException("server " + server + " broke off: " + why + doubt);
    }

    private CommandFailedException unreachable(String why) {
        return new CommandFailedException(
                "server " + server + " did not answer: " + why + "; is it running? set --server");
    }

    private RuntimeException refusal(HttpResponse<byte[]> response) {
        if (response.statusCode() == UNAUTHORIZED) {
            return new RefusedException(
                    "SLUICE_TOKEN",
                    token.isEmpty() ? "missing" : "not accepted",
                    "must be a token of " + server + ", which printed its first one when it started first");
        }
        ProblemReport report;
        try {
            report = ProblemJson.read(response.body());
        } catch (RefusedException noReport) {
            return stranger(response);
        }
        if (!report.problems().isEmpty()) {
            return new RefusedException(report.problems());
        }
        String detail = report.detail().isEmpty() ? "" : ": " + report.detail();
        return new CommandFailedException(report.title() + detail);
    }

    private CommandFailedException stranger(HttpResponse<byte[]> response) {
        String type = response.headers().firstValue("Content-Type").orElse("no content type");
        return new CommandFailedException("server " + server + " answered " + response.statusCode() + " with " + type
                + ", so it seems to be no Sluice server; set --server");
    }
}
