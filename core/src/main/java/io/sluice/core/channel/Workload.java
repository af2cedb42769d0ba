package io.sluice.core.channel;

import io.sluice.core.tag.Color;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One process as it last reported itself.
 *
 * @param service what it is in the registry
 * @param instance its name, the same after a restart at the same place, like {@code order@10.0.0.7:8080}
 * @param color the side it stands on; null for one in no channel, as a gateway
 * @param version what it runs
 * @param ready whether it would serve
 * @param registered whether callers can find it
 * @param requests how many it has begun to serve since its start, without health checks
 * @param underWay how many it is serving now
 * @param crossed how many came to it with the other color of its channel
 * @param epoch of the rules it decides by
 * @param revision of the rules it decides by
 * @param refusal why it could not use the newest rules it got; empty when it could
 * @param unheard how long ago it reported
 */
public record Workload(
        String service,
        String instance,
        @Nullable Color color,
        String version,
        boolean ready,
        boolean registered,
        long requests,
        long underWay,
        long crossed,
        long epoch,
        long revision,
        String refusal,
        Duration unheard) {
    /** After which a process that did not report cannot be counted on: it may be cut off, or gone. */
    public static final Duration UNREACHED_AFTER = Duration.ofSeconds(10);

    public boolean isReached() {
        return unheard.compareTo(UNREACHED_AFTER) < 0;
    }

    /** Whether it is known to decide by these rules or newer ones. */
    public boolean hasApplied(long publishedEpoch, long publishedRevision) {
        return isReached() && (epoch > publishedEpoch || epoch == publishedEpoch && revision >= publishedRevision);
    }
}
