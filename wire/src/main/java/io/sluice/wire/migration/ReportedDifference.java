package io.sluice.wire.migration;

import io.sluice.core.problem.Problems;
import io.sluice.migration.plan.Keys;
import io.sluice.migration.plan.Side;
import io.sluice.migration.shadow.Difference;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;

/**
 * One read that the two sides answered differently at the same version of the key.
 *
 * @param id one of its own, the same each time it is told, 1..128 characters
 * @param read which read it was, like {@code available}, 1..128 characters
 * @param version of the key, on both sides
 * @param authority the side whose answer the caller got
 * @param authorityValue that answer as text, see {@link #shown}
 * @param otherValue the other side's answer as text
 */
public record ReportedDifference(
        String id,
        String key,
        String read,
        long version,
        Side authority,
        String authorityValue,
        String otherValue,
        Instant at) {
    /** How long a value may be, in characters. */
    public static final int LONGEST_VALUE = 512;

    private static final int LONGEST_NAME = 128;
    private static final String CUT = "...";

    /** @throws io.sluice.core.problem.RefusedException with every problem */
    public ReportedDifference {
        Problems problems = new Problems();
        requireName("id", id, problems);
        problems.part("", () -> Keys.require(key));
        requireName("read", read, problems);
        problems.require(version >= 0, "version", version, "must be 0 or more");
        requireValue("authorityValue", authorityValue, problems);
        requireValue("otherValue", otherValue, problems);
        problems.throwIfAny();
    }

    /**
     * A difference that {@code ShadowReads} has found, as it is told:
     *
     * <pre>{@code
     * MigrationReporter.builder(...).differences(() -> shadow.differences().kept().stream()
     *         .map(each -> ReportedDifference.of(reporter, each))
     *         .toList())
     * }</pre>
     *
     * @param reporter the reporter's name, another one after a restart, since each run counts its differences from 1
     */
    public static ReportedDifference of(String reporter, Difference found) {
        byte[] id = (reporter + "#" + found.id()).getBytes(StandardCharsets.UTF_8);
        String read = shown(found.read());
        return new ReportedDifference(
                UUID.nameUUIDFromBytes(id).toString(),
                found.key(),
                read.isEmpty() ? "read" : read.substring(0, Math.min(read.length(), LONGEST_NAME)),
                Math.max(found.version(), 0),
                found.authority(),
                shown(found.authorityValue()),
                shown(found.otherValue()),
                found.at());
    }

    /** A value as it may stand in a difference: cut after {@link #LONGEST_VALUE} characters, halves of characters as {@code ?}. */
    public static String shown(Object value) {
        String text = new String(String.valueOf(value).getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        if (text.length() <= LONGEST_VALUE) {
            return text;
        }
        int end = LONGEST_VALUE - CUT.length();
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + CUT;
    }

    private static void requireName(String path, String name, Problems problems) {
        problems.require(
                !name.isEmpty() && name.length() <= LONGEST_NAME,
                path,
                name.isEmpty() ? "empty" : name.length() + " characters",
                "must have 1.." + LONGEST_NAME + " characters");
    }

    private static void requireValue(String path, String value, Problems problems) {
        problems.require(
                value.length() <= LONGEST_VALUE,
                path,
                value.length() + " characters",
                "must be at most " + LONGEST_VALUE);
    }
}
