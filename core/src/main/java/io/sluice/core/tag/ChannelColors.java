package io.sluice.core.tag;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The colors that one request has, by channel. Immutable; once a channel has a color here, nothing changes it: who enters
 * first decides, everybody later reuses.
 */
public final class ChannelColors {
    private static final ChannelColors NONE = new ChannelColors(Collections.emptySortedMap());

    private final Map<String, Color> byChannel;

    private ChannelColors(Map<String, Color> byChannel) {
        this.byChannel = byChannel;
    }

    public static ChannelColors none() {
        return NONE;
    }

    public static ChannelColors of(Map<String, Color> byChannel) {
        return byChannel.isEmpty() ? NONE : new ChannelColors(Collections.unmodifiableMap(new TreeMap<>(byChannel)));
    }

    /** The color in a channel; null when the request has not entered it yet. */
    public @Nullable Color in(String channel) {
        return byChannel.get(channel);
    }

    /** These and one more; the same when the channel has a color already. */
    public ChannelColors with(String channel, Color color) {
        if (byChannel.containsKey(channel)) {
            return this;
        }
        Map<String, Color> more = new TreeMap<>(byChannel);
        more.put(channel, color);
        return new ChannelColors(Collections.unmodifiableMap(more));
    }

    public boolean isEmpty() {
        return byChannel.isEmpty();
    }

    /** All of them, channels in alphabetical order. */
    public Map<String, Color> asMap() {
        return byChannel;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ChannelColors that && byChannel.equals(that.byChannel);
    }

    @Override
    public int hashCode() {
        return byChannel.hashCode();
    }

    @Override
    public String toString() {
        return byChannel.toString();
    }
}
