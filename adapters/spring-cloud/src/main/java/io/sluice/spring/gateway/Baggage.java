package io.sluice.spring.gateway;

import io.sluice.core.tag.TagCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** The {@code baggage} header (W3C Baggage): members {@code key=value;properties}, parted by commas. */
final class Baggage {
    static final String HEADER = "baggage";

    private Baggage() {}

    /** The header's lines without the members that are ours; a line that held no other is dropped, the rest untouched. */
    static List<String> withoutOurs(List<String> lines) {
        List<String> kept = new ArrayList<>(lines.size());
        for (String line : lines) {
            String rest = withoutOurs(line);
            if (!rest.isEmpty() || line.isEmpty()) {
                kept.add(rest);
            }
        }
        return kept;
    }

    private static String withoutOurs(String line) {
        StringJoiner kept = new StringJoiner(",");
        boolean removed = false;
        for (String member : line.split(",", -1)) {
            if (TagCodec.isOurs(keyOf(member))) {
                removed = true;
            } else {
                kept.add(member);
            }
        }
        return removed ? kept.toString() : line;
    }

    private static String keyOf(String member) {
        int end = member.length();
        for (char stop : new char[] {'=', ';'}) {
            int at = member.indexOf(stop);
            end = at < 0 ? end : Math.min(end, at);
        }
        return member.substring(0, end).strip();
    }
}
