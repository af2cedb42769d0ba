package io.sluice.cli.report;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads what is there. Nothing is refused: a report is shown as far as it is understood. */
final class Json {
    private Json() {}

    /** Empty for what is missing. */
    static String text(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        return value.isValueNode() ? value.asString() : value.toString();
    }

    /** NaN for what is missing or no number. */
    static double number(JsonNode value) {
        return value.isNumber() ? value.doubleValue() : Double.NaN;
    }

    static @Nullable Instant time(JsonNode value) {
        try {
            return Instant.parse(text(value));
        } catch (DateTimeParseException none) {
            return null;
        }
    }

    /** A time in words; what is no time as it is. */
    static String timeWords(JsonNode value) {
        Instant time = time(value);
        return time == null ? text(value) : Words.time(time);
    }

    static List<String> texts(JsonNode items) {
        return items(items).stream().map(Json::text).toList();
    }

    /** The items of a list; none of what is no list. */
    static List<JsonNode> items(JsonNode list) {
        return list.isArray() ? StreamSupport.stream(list.spliterator(), false).toList() : List.of();
    }
}
