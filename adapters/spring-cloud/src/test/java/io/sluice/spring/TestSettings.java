package io.sluice.spring;

import io.sluice.core.tag.Color;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings of an instance, without a server. */
public final class TestSettings {
    private TestSettings() {}

    /** Those of an instance that stands on a side; on none when the color is null. */
    public static SluiceSettings of(String service, String version, @Nullable Color color) {
        return new SluiceSettings(
                service,
                version,
                color,
                true,
                List.of(),
                null,
                "",
                null,
                Path.of("nowhere"),
                null,
                InternalHosts.standard(),
                new IdentitySources(
                        List.of(IdentitySource.parse("header:X-User-Id"), IdentitySource.parse("query:uid")),
                        IdentitySource.parse("header:X-Channel"),
                        "X-Request-Id"));
    }
}
