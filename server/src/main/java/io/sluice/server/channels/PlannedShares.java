package io.sluice.server.channels;

import io.sluice.core.channel.Workload;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.Flow;
import io.sluice.core.tag.Color;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What share of its service's requests each instance of a channel should get, by the rules that are saved. */
final class PlannedShares {
    private static final double WHOLE = 10_000;

    private PlannedShares() {}

    /**
     * By instance, 0..1. While colors do not mix, the share of a color is divided by the instances of that color that can
     * be found; otherwise everything by all of them. Whoever cannot be found, or rests, should get nothing.
     *
     * @param workloads those of the channel's services
     */
    static Map<String, Double> of(Channel channel, List<Workload> workloads) {
        Map<Group, Long> sizes = new HashMap<>();
        workloads.stream()
                .filter(each -> isThere(channel, each))
                .forEach(each -> sizes.merge(group(channel, each), 1L, Long::sum));
        Map<String, Double> shares = new HashMap<>();
        for (Workload each : workloads) {
            Group group = group(channel, each);
            double share = isThere(channel, each) ? group.share(channel) / Objects.requireNonNull(sizes.get(group)) : 0;
            shares.put(each.instance(), share);
        }
        return shares;
    }

    private static boolean isThere(Channel channel, Workload workload) {
        return workload.isReached()
                && workload.ready()
                && workload.registered()
                && !channel.isDrained(workload.color(), workload.instance());
    }

    private static Group group(Channel channel, Workload workload) {
        Color color = workload.color();
        return new Group(workload.service(), channel.isInRelease() ? color == null ? "none" : color.label() : "all");
    }

    /** Those who share what one of them gets. */
    private record Group(String service, String who) {
        double share(Channel channel) {
            Flow flow = channel.flow();
            if (flow == null) {
                return 1;
            }
            return switch (who) {
                case "blue" -> flow.shareOf(Color.BLUE).basisPoints() / WHOLE;
                case "green" -> flow.shareOf(Color.GREEN).basisPoints() / WHOLE;
                default -> 0;
            };
        }
    }
}
