package io.sluice.core.rule;

import io.sluice.core.decision.Percent;
import io.sluice.core.tag.Color;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Channels for tests: version {@code v2}, blue admitted, requests slow from 300 ms on. */
public final class SampleChannel {
    private static final Duration SLOW = Duration.ofMillis(300);

    private SampleChannel() {}

    /** One outside a release. */
    public static Channel calm(String id, String... services) {
        return Channel.of(id, List.of(services));
    }

    /** One in a release that is named after it. */
    public static Channel at(int bluePercent, String id, String... services) {
        return in(id + "-r1", bluePercent, id, services);
    }

    public static Channel in(String release, int bluePercent, String id, String... services) {
        return new Channel(id, List.of(services), flow(release, Percent.of(bluePercent), null), Set.of());
    }

    /** One in release that has told the instances of a drained side to leave their registry. */
    public static Channel closed(Color side, String id, String... services) {
        Percent blue = side == Color.BLUE ? Percent.ZERO : Percent.HUNDRED;
        return new Channel(id, List.of(services), flow(id + "-r1", blue, side), Set.of());
    }

    public static Flow flow(String release, Percent blue, @Nullable Color closed) {
        return new Flow(release, "v2", Color.BLUE, blue, closed, 1, SLOW, SLOW);
    }
}
