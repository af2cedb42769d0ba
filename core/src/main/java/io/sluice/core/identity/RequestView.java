package io.sluice.core.identity;

import org.jspecify.annotations.Nullable;

/**
 * A request as the rules see it. Adapters implement it over their framework's request; no method throws or blocks.
 *
 * <p>A header that is given more than once has no single value, so it reads as absent: neither the first nor the last
 * one is believed.
 */
public interface RequestView {
    /** The value of a header, its name in any case; null when it is absent or given more than once. */
    @Nullable
    String header(String name);

    /** The value of a cookie by its exact name; null when it is absent or given more than once. */
    default @Nullable String cookie(String name) {
        String cookies = header("Cookie");
        return cookies == null ? null : CookieHeader.value(cookies, name);
    }

    /** A request without headers or cookies. */
    static RequestView empty() {
        return name -> null;
    }
}
