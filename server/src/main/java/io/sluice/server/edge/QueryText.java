package io.sluice.server.edge;

import io.sluice.core.problem.RefusedException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The query of an address, looked at before the container reads it, which tells nobody what it could not read. */
final class QueryText {
    private static final int LONGEST_SHOWN = 64;

    private QueryText() {}

    /** What is wrong with a query, by the parameter's name; null when it can be read. */
    static @Nullable RefusedException problem(@Nullable String query) {
        if (query == null) {
            return null;
        }
        for (String pair : query.split("&", -1)) {
            if (!isReadable(pair)) {
                int equals = pair.indexOf('=');
                String name = equals < 0 ? pair : pair.substring(0, equals);
                String path = isReadable(name) && !name.isEmpty() ? name : "query";
                String shown = pair.substring(equals + 1);
                return new RefusedException(
                        path,
                        shown.length() > LONGEST_SHOWN ? shown.substring(0, LONGEST_SHOWN) : shown,
                        "must be UTF-8, escaped like %E4%B8%AD");
            }
        }
        return null;
    }

    private static boolean isReadable(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '%') {
                bytes.write(c);
                continue;
            }
            int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
            int low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), 16) : -1;
            if (high < 0 || low < 0) {
                return false;
            }
            bytes.write(high << 4 | low);
            i += 2;
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray()));
            return true;
        } catch (CharacterCodingException invalid) {
            return false;
        }
    }
}
