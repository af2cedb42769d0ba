package io.sluice.spring;

import io.sluice.core.problem.RefusedException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A place in a request where an id may stand, written {@code header:NAME}, {@code query:NAME} or {@code cookie:NAME}.
 */
public record IdentitySource(Kind kind, String name) {
    private static final Pattern TEXT = Pattern.compile("(header|query|cookie):([!#$%&'*+.^_`|~0-9A-Za-z-]{1,128})");

    /** The kind of place. */
    public enum Kind {
        HEADER,
        QUERY,
        COOKIE
    }

    /** Reads a source. @throws RefusedException with an empty path when it is not one */
    public static IdentitySource parse(String text) {
        Matcher source = TEXT.matcher(text);
        if (!source.matches()) {
            throw new RefusedException(
                    "", text.isEmpty() ? "empty" : text, "must be header:NAME, query:NAME or cookie:NAME");
        }
        return new IdentitySource(Kind.valueOf(source.group(1).toUpperCase(Locale.ROOT)), source.group(2));
    }

    /** Reads a source that is a header. @throws RefusedException with an empty path when it is not one */
    static IdentitySource parseHeader(String text) {
        IdentitySource source = parse(text);
        if (source.kind() != Kind.HEADER) {
            throw new RefusedException("", text, "must be header:NAME, since it is sent on");
        }
        return source;
    }

    /** What stands there; null when nothing does, or more than one thing. */
    public @Nullable String valueIn(EdgeRequest request) {
        return switch (kind) {
            case HEADER -> request.header(name);
            case QUERY -> request.query(name);
            case COOKIE -> request.cookie(name);
        };
    }
}
