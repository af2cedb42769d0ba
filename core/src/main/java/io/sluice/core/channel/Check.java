package io.sluice.core.channel;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * How a side that was deployed is verified before it gets traffic.
 *
 * @param url what must answer with a status of 200..299; null when a human says so with {@code promote}
 */
public record Check(@Nullable URI url) {
    public static final Check MANUAL = new Check(null);

    public boolean isManual() {
        return url == null;
    }
}
