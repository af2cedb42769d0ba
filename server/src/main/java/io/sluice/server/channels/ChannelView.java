package io.sluice.server.channels;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.core.channel.Deployer;
import io.sluice.core.rule.Channel;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A channel as the API shows it.
 *
 * @param release the one that is not over; null for none
 * @param bluePercent 50 outside a release
 * @param scaling the last order to scale by hand since this server started, and how far it is
 */
record ChannelView(
        String id,
        List<String> services,

        @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable String release,

        BigDecimal bluePercent,
        List<Sides.Side> sides,
        @Nullable Order scaling) {
    static ChannelView of(Channel channel, @Nullable String release, List<Sides.Side> sides, @Nullable Order scaling) {
        return new ChannelView(
                channel.id(),
                channel.services(),
                release,
                new BigDecimal(channel.bluePercent().number()),
                sides,
                scaling);
    }

    /** @param state running, done, failed or waits-for-human */
    record Order(String key, String state, String note) {
        static Order of(Deployer.Order order, Deployer.Progress progress) {
            if (progress instanceof Deployer.Progress.Running running) {
                return new Order(order.key(), "running", running.note());
            }
            if (progress instanceof Deployer.Progress.Failed failed) {
                return new Order(order.key(), "failed", failed.why());
            }
            return progress instanceof Deployer.Progress.WaitsForHuman waits
                    ? new Order(order.key(), "waits-for-human", waits.what())
                    : new Order(order.key(), "done", "");
        }
    }
}
