package io.sluice.wire.migration;

import io.sluice.core.problem.RefusedException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.regex.Pattern;

/** Dates and instants as ISO 8601 writes them, with years of four digits. */
final class TimeText {
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

    private TimeText() {}

    static LocalDate date(String text) {
        try {
            if (DATE.matcher(text).matches()) {
                return LocalDate.parse(text);
            }
        } catch (DateTimeException noSuchDay) {
            // Refused below, as any other text that is no date.
        }
        throw new RefusedException("", text.isEmpty() ? "empty" : text, "must be a date like 2026-11-30");
    }

    static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException noInstant) {
            throw new RefusedException(
                    "", text.isEmpty() ? "empty" : text, "must be an instant like 2026-11-30T08:15:00Z");
        }
    }
}
