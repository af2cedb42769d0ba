package io.sluice.server.metrics;

import io.sluice.core.problem.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads answers to instant queries, as Prometheus and what speaks its language give them. Everything but plain numbers of
 * this minute is refused.
 */
final class InstantAnswer {
    /**
     * How far the moment that an answer is about may be from now. Prometheus answers for the moment of the question,
     * whenever the samples behind it were taken; an older moment comes from a cache, or one of the clocks is wrong.
     */
    static final Duration TOLERANCE = Duration.ofSeconds(60);

    private static final int DEEPEST = 16;
    private static final int OK = 200;
    private static final int LARGEST_REASON = 160;
    private static final Pattern NUMBER =
            Pattern.compile("NaN|[+-]?Inf|[+-]?[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]{1,4})?");
    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private InstantAnswer() {}

    /** The numbers of an answer; there may be none. */
    static List<Sample> read(int status, byte[] body, Instant now) throws SourceException {
        if (status >= 300 && status < 400) {
            throw new SourceException("HTTP " + status + ", and redirects are not followed");
        }
        JsonNode answer = tree(status, body);
        String said = answer.path("status").asString("");
        if (status != OK || !said.equals("success")) {
            throw new SourceException("HTTP " + status + error(answer));
        }
        // Whoever answers for several sources says here that one of them did not.
        if (answer.path("warnings").size() > 0) {
            throw new SourceException(
                    "a warning: " + shortened(answer.path("warnings").get(0).asString("")));
        }
        JsonNode data = answer.path("data");
        String type = data.path("resultType").asString("nothing");
        JsonNode result = data.path("result");
        return switch (type) {
            case "scalar" -> List.of(new Sample("", number(result, now)));
            case "vector" -> vector(result, now);
            default -> throw new SourceException("a result of type " + shortened(type));
        };
    }

    private static JsonNode tree(int status, byte[] body) throws SourceException {
        try {
            return JSON.readTree(body);
        } catch (JacksonException garbage) {
            throw new SourceException("HTTP " + status + " with a body that is no JSON of an answer");
        }
    }

    private static List<Sample> vector(JsonNode result, Instant now) throws SourceException {
        if (!result.isArray()) {
            throw new SourceException("a vector that is no list");
        }
        List<Sample> samples = new ArrayList<>();
        for (JsonNode series : result) {
            if (series.has("histogram")) {
                throw new SourceException("a histogram");
            }
            String label = series.path("metric").path(Sample.LABEL).asString("");
            samples.add(new Sample(label, number(series.path("value"), now)));
        }
        return samples;
    }

    /** Of a pair of a moment in seconds and a number in quotes. */
    private static double number(JsonNode pair, Instant now) throws SourceException {
        JsonNode text = pair.path(1);
        if (!pair.isArray() || pair.size() != 2 || !pair.path(0).isNumber() || !text.isString()) {
            throw new SourceException("a value that is no pair of a time and a number");
        }
        requireOfNow(pair.path(0).asDouble(), now);
        String number = text.asString();
        if (!NUMBER.matcher(number).matches()) {
            throw new SourceException("a value that is no number: " + shortened(number));
        }
        return number.endsWith("Inf")
                ? number.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY
                : Double.parseDouble(number);
    }

    private static void requireOfNow(double seconds, Instant now) throws SourceException {
        double age = now.toEpochMilli() / 1000.0 - seconds;
        if (!(Math.abs(age) <= TOLERANCE.toSeconds())) {
            throw new SourceException(String.format(
                    Locale.ROOT,
                    "an answer about %.0f s %s, by this server's clock",
                    Math.abs(age),
                    age > 0 ? "ago" : "from now"));
        }
    }

    private static String error(JsonNode answer) {
        String error = answer.path("error").asString("");
        return error.isEmpty() ? "" : ": " + shortened(error);
    }

    private static String shortened(String text) {
        return Problem.printable(text.substring(0, Math.min(text.length(), LARGEST_REASON)));
    }
}
