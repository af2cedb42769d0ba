package io.sluice.core.rule;

import io.sluice.core.decision.Lane;
import io.sluice.core.decision.Percent;
import io.sluice.core.problem.Problems;
import io.sluice.core.tag.ChannelColors;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TrafficTag;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Services that are released together. Outside a release both colors share the traffic as any instances do, and may call
 * each other. In a blue-green release, its {@link Flow} says what share is blue, and a request keeps its color from the
 * first entry to the last hop. In a rolling release colors do not matter. Immutable; no method that a request calls throws
 * or blocks.
 *
 * @param id names the channel in tags, files and addresses
 * @param services what is released together, in alphabetical order
 * @param flow null outside a blue-green release
 * @param resting instances that a rolling release has taken out of the traffic, by the names under which they report
 * @param renewal null outside a rolling release that a guard watches; never beside a flow
 */
public record Channel(
        String id,
        List<String> services,
        @Nullable Flow flow,
        Set<String> resting,
        @Nullable Renewal renewal) {
    private static final int MOST_RESTING = 1000;
    private static final Percent HALF = Percent.of(50);

    /** @throws io.sluice.core.problem.RefusedException with every problem */
    public Channel {
        Problems problems = new Problems();
        problems.part("id", () -> Names.requireId(id));
        services = ReleaseRule.checkedServices(services, problems);
        problems.require(
                resting.size() <= MOST_RESTING,
                "resting",
                resting.size() + " instances",
                "must be at most " + MOST_RESTING);
        problems.require(
                flow == null || renewal == null,
                "renewal",
                renewal == null ? "" : renewal.release(),
                "must be left out beside a flow: a channel is in one release at a time");
        for (String instance : resting) {
            problems.part("resting", () -> Names.requireInstance(instance));
        }
        problems.throwIfAny();
        resting = Set.copyOf(resting);
    }

    /** One in no rolling release that is watched. */
    public Channel(String id, List<String> services, @Nullable Flow flow, Set<String> resting) {
        this(id, services, flow, resting, null);
    }

    /** One outside a release. */
    public static Channel of(String id, List<String> services) {
        return new Channel(id, services, null, Set.of());
    }

    /** Services as a channel may have them, in alphabetical order. @throws io.sluice.core.problem.RefusedException when none */
    public static List<String> requireServices(List<String> services) {
        Problems problems = new Problems();
        List<String> checked = ReleaseRule.checkedServices(services, problems);
        problems.throwIfAny();
        return checked;
    }

    /** Whether colors must not mix now. */
    public boolean isInRelease() {
        return flow != null;
    }

    /** The share of blue: a half outside a release. */
    public Percent bluePercent() {
        return flow == null ? HALF : flow.blue();
    }

    public boolean covers(String service) {
        return services.contains(service);
    }

    /** Whether an instance is to get no new requests. */
    public boolean isDrained(@Nullable Color color, String instance) {
        return flow != null && color != null && flow.isDrained(color) || resting.contains(instance);
    }

    /** Whether an instance is to leave its registry: nothing is to find it any more. */
    public boolean isClosed(@Nullable Color color, String instance) {
        return flow != null && color != null && color == flow.closed() || resting.contains(instance);
    }

    /**
     * The colors of a request that is or may come into this channel: what it has stays; what it enters now is decided.
     *
     * @param own the color of the instance that asks, when that instance is in this channel: what comes to it without a
     *     color, or begins there, has its color; null elsewhere
     */
    ChannelColors enter(TrafficTag tag, @Nullable Color own) {
        ChannelColors colors = tag.colors();
        if (flow == null || colors.in(id) != null) {
            return colors;
        }
        return colors.with(id, own == null ? flow.enter(tag.uid()) : own);
    }

    /** A channel in release, as its requests are counted: the admitted side on canary, the other on stable. */
    public record Released(Channel channel, Flow flow) implements Watched {
        @Override
        public String release() {
            return flow.release();
        }

        @Override
        public long step() {
            return flow.step();
        }

        @Override
        public Duration slowerThan() {
            return flow.slowerThan();
        }

        @Override
        public Duration overdueAfter() {
            return flow.overdueAfter();
        }

        @Override
        public List<String> services() {
            return channel.services();
        }

        @Override
        public boolean covers(String service) {
            return channel.covers(service);
        }

        @Override
        public Lane laneOf(TrafficTag tag) {
            Color color = tag.colors().in(channel.id());
            return color == flow.admitted() ? Lane.CANARY : Lane.STABLE;
        }

        @Override
        public Lane laneOfInstance(String version, @Nullable Color color) {
            return color == flow.admitted() ? Lane.CANARY : Lane.STABLE;
        }

        @Override
        public boolean isByChance(String uid) {
            return true;
        }

        @Override
        public boolean isToldByTags() {
            return true;
        }
    }

    /** A channel in a rolling release, as its requests are counted: those that the new version served on canary. */
    public record Renewed(Channel channel, Renewal renewal) implements Watched {
        @Override
        public String release() {
            return renewal.release();
        }

        @Override
        public long step() {
            return renewal.step();
        }

        @Override
        public Duration slowerThan() {
            return renewal.slowerThan();
        }

        @Override
        public Duration overdueAfter() {
            return renewal.overdueAfter();
        }

        @Override
        public List<String> services() {
            return channel.services();
        }

        @Override
        public boolean covers(String service) {
            return channel.covers(service);
        }

        /** No tag tells it. */
        @Override
        public Lane laneOf(TrafficTag tag) {
            return Lane.STABLE;
        }

        @Override
        public Lane laneOfInstance(String version, @Nullable Color color) {
            return version.equals(renewal.version()) ? Lane.CANARY : Lane.STABLE;
        }

        /** A customer meets both versions, whichever instance a request comes to. */
        @Override
        public boolean isByChance(String uid) {
            return false;
        }

        @Override
        public boolean isToldByTags() {
            return false;
        }
    }
}
