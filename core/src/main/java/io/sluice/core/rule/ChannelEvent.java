package io.sluice.core.rule;

import io.sluice.core.decision.Percent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One call of a {@link ChannelListener}. */
record ChannelEvent(BiConsumer<ChannelListener, Channel> method, Channel channel) {
    void tell(ChannelListener listener) {
        method.accept(listener, channel);
    }

    /**
     * What leads from some channels to the same channels later, in order: first those that are gone, then those that are
     * there, each in the order of their map.
     */
    static List<ChannelEvent> between(Map<String, Channel> before, Map<String, Channel> after) {
        List<ChannelEvent> events = new ArrayList<>();
        before.forEach((id, channel) -> {
            if (!after.containsKey(id)) {
                addBetween(channel, outsideRelease(channel), events);
            }
        });
        after.forEach((id, channel) -> {
            Channel earlier = before.get(id);
            addBetween(earlier == null ? outsideRelease(channel) : earlier, channel, events);
        });
        return events;
    }

    private static void addBetween(Channel before, Channel after, List<ChannelEvent> events) {
        if (before.isInRelease() && after.isInRelease() && !Objects.equals(releaseOf(before), releaseOf(after))) {
            addChange(before, outsideRelease(after), events);
            addChange(outsideRelease(after), after, events);
        } else {
            addChange(before, after, events);
        }
    }

    private static void addChange(Channel before, Channel after, List<ChannelEvent> events) {
        Percent was = before.bluePercent();
        Percent is = after.bluePercent();
        if (!before.isInRelease() && after.isInRelease()) {
            events.add(new ChannelEvent(ChannelListener::onStart, after));
        }
        if (!was.equals(is)) {
            events.add(new ChannelEvent(ChannelListener::onFlowChange, after));
            addWhere(was.equals(Percent.HUNDRED), ChannelListener::onExitAllBlue, after, events);
            addWhere(was.equals(Percent.ZERO), ChannelListener::onExitAllGreen, after, events);
            addWhere(is.equals(Percent.HUNDRED), ChannelListener::onEnterAllBlue, after, events);
            addWhere(is.equals(Percent.ZERO), ChannelListener::onEnterAllGreen, after, events);
        }
        if (before.isInRelease() && !after.isInRelease()) {
            events.add(new ChannelEvent(ChannelListener::onFinish, after));
        }
    }

    private static void addWhere(
            boolean holds, BiConsumer<ChannelListener, Channel> method, Channel channel, List<ChannelEvent> events) {
        if (holds) {
            events.add(new ChannelEvent(method, channel));
        }
    }

    private static Channel outsideRelease(Channel channel) {
        return channel.isInRelease() ? Channel.of(channel.id(), channel.services()) : channel;
    }

    private static @Nullable String releaseOf(Channel channel) {
        Flow flow = channel.flow();
        return flow == null ? null : flow.release();
    }
}
