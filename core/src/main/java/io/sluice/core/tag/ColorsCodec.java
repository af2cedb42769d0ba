package io.sluice.core.tag;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The colors of a request as text: {@code trade=blue&user=green}, percent-encoded as one value, so
 * {@code trade%3Dblue%26user%3Dgreen}. It is the value of our header {@link TagCodec#COLORS_HEADER} and of the baggage
 * entry (W3C Baggage) of the same name; the header is believed before the baggage, since baggage may be cut on the way.
 *
 * <p>Decoded once and only once. An entry that is no {@code channel=color} is dropped; so is a channel with two colors,
 * which is a conflict and decided anew. Reading never throws.
 */
public final class ColorsCodec {
    /** The header in which baggage travels. */
    public static final String BAGGAGE = "baggage";

    /** The longest value that is read, in characters; about a hundred channels. */
    public static final int LONGEST = 4096;

    private static final Pattern CHANNEL = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

    private ColorsCodec() {}

    /** What came of reading colors. @param refused how many entries were dropped */
    public record Reading(ChannelColors colors, int refused) {
        private static final Reading NOTHING = new Reading(ChannelColors.none(), 0);
    }

    /** The value that stands for these colors; empty for none. */
    public static String format(ChannelColors colors) {
        if (colors.isEmpty()) {
            return "";
        }
        StringBuilder out = new StringBuilder(32);
        for (Map.Entry<String, Color> entry : colors.asMap().entrySet()) {
            // A channel's name needs no encoding, so only the two signs of the format do.
            out.append(out.isEmpty() ? "" : "%26")
                    .append(entry.getKey())
                    .append("%3D")
                    .append(entry.getValue().label());
        }
        return out.toString();
    }

    /**
     * Reads the colors of one request.
     *
     * @param header the values of our header
     * @param baggage the lines of its baggage, read only where our header says nothing
     */
    public static Reading read(List<String> header, List<String> baggage) {
        if (!header.isEmpty()) {
            return parse(header);
        }
        List<String> members = new ArrayList<>(1);
        for (String line : baggage) {
            addOurs(line, members);
        }
        return members.isEmpty() ? Reading.NOTHING : parse(members);
    }

    /**
     * Baggage lines with our entry, in place of the one that may stand there, first, so that it is the last to be cut.
     *
     * @return the value of one baggage header; null when there is nothing to write
     */
    public static @Nullable String baggageWith(ChannelColors colors, List<String> lines) {
        StringBuilder out = new StringBuilder();
        if (!colors.isEmpty()) {
            out.append(TagCodec.COLORS_HEADER).append('=').append(format(colors));
        }
        for (String line : lines) {
            for (String member : line.split(",", -1)) {
                if (!member.isBlank() && !TagCodec.isOurs(keyOf(member))) {
                    out.append(out.isEmpty() ? "" : ",").append(member.strip());
                }
            }
        }
        return out.isEmpty() ? null : out.toString();
    }

    private static void addOurs(String line, List<String> members) {
        int at = line.indexOf(TagCodec.COLORS_HEADER);
        if (at < 0) {
            return; // The usual case, without cutting up what is none of ours.
        }
        for (String member : line.split(",", -1)) {
            int equals = member.indexOf('=');
            if (equals > 0 && member.substring(0, equals).strip().equals(TagCodec.COLORS_HEADER)) {
                int end = member.indexOf(';');
                members.add(member.substring(equals + 1, end < 0 ? member.length() : Math.max(end, equals + 1))
                        .strip());
            }
        }
    }

    private static String keyOf(String member) {
        int equals = member.indexOf('=');
        return (equals < 0 ? member : member.substring(0, equals)).strip();
    }

    private static Reading parse(List<String> values) {
        Map<String, Color> colors = new TreeMap<>();
        List<String> conflicts = new ArrayList<>(0);
        int refused = 0;
        for (String value : values) {
            String decoded = value.length() > LONGEST ? null : decode(value);
            if (decoded == null) {
                refused++;
                continue;
            }
            for (String entry : decoded.split("&", -1)) {
                int equals = entry.indexOf('=');
                Color color = equals < 0 ? null : colorOf(entry.substring(equals + 1));
                if (color == null
                        || !CHANNEL.matcher(entry.substring(0, equals)).matches()) {
                    refused += entry.isEmpty() ? 0 : 1;
                    continue;
                }
                String channel = entry.substring(0, equals);
                Color before = colors.put(channel, color);
                if (before != null && before != color) {
                    conflicts.add(channel);
                }
            }
        }
        conflicts.forEach(colors::remove);
        return new Reading(ChannelColors.of(colors), refused + conflicts.size());
    }

    private static @Nullable Color colorOf(String label) {
        return switch (label) {
            case "blue" -> Color.BLUE;
            case "green" -> Color.GREEN;
            default -> null;
        };
    }

    /** All that is allowed is ASCII, so an escape of anything else makes the value as bad as a broken escape. */
    private static @Nullable String decode(String value) {
        if (value.indexOf('%') < 0) {
            return value;
        }
        byte[] bytes = new byte[value.length()];
        int length = 0;
        for (int i = 0; i < value.length(); i++) {
            int c = value.charAt(i);
            if (c == '%') {
                int high = i + 2 < value.length() ? Character.digit(value.charAt(i + 1), 16) : -1;
                int low = high < 0 ? -1 : Character.digit(value.charAt(i + 2), 16);
                c = low < 0 ? -1 : high << 4 | low;
                i += 2;
            }
            if (c < 0x20 || c > 0x7e) {
                return null;
            }
            bytes[length++] = (byte) c;
        }
        return new String(bytes, 0, length, StandardCharsets.US_ASCII);
    }
}
