package io.sluice.core.identity;

import org.jspecify.annotations.Nullable;

/**
 * The {@code Cookie} request header (RFC 6265, section 4.2.1): pairs parted by semicolons, names compared exactly.
 *
 * <p>Stricter than browsers need: {@code canary = 1} and {@code canary="1"} are not {@code canary=1}, since the far
 * side may read them differently.
 */
final class CookieHeader {
    private CookieHeader() {}

    /** The value of the cookie with that name; null when it is absent or given more than once. */
    static @Nullable String value(String header, String name) {
        String found = null;
        int from = 0;
        while (from < header.length()) {
            int semicolon = header.indexOf(';', from);
            int end = semicolon < 0 ? header.length() : semicolon;
            int start = from;
            while (start < end && header.charAt(start) == ' ') {
                start++;
            }
            int valueAt = start + name.length() + 1;
            if (valueAt <= end && header.startsWith(name, start) && header.charAt(valueAt - 1) == '=') {
                if (found != null) {
                    return null;
                }
                found = header.substring(valueAt, end);
            }
            from = end + 1;
        }
        return found;
    }
}
