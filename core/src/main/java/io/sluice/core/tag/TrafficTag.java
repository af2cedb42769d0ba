package io.sluice.core.tag;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request wears from the edge to its last hop: who asked, and on which releases' canaries it is. One immutable
 * value; absent parts are empty.
 *
 * <p>A release that is not named here is stable for this request. Whether a named one still lives is not the tag's
 * knowledge: each hop asks its rules, so an abort reaches requests that are already under way.
 *
 * @param uid the customer's id, or empty
 * @param channel through what the customer came, or empty
 * @param assignments the canaries this request is on, one a release, usually none or one
 * @param colors its colors in the channels that it has entered; they travel in a header and a baggage entry of their own
 */
public record TrafficTag(String uid, String channel, List<Assignment> assignments, ChannelColors colors) {
    /** The version of everything that is no canary, in tags and in instance metadata alike. */
    public static final String STABLE_VERSION = "stable";

    private static final TrafficTag EMPTY = new TrafficTag("", "", List.of());

    public TrafficTag {
        assignments = List.copyOf(assignments);
    }

    /** One that has entered no channel. */
    public TrafficTag(String uid, String channel, List<Assignment> assignments) {
        this(uid, channel, assignments, ChannelColors.none());
    }

    /** The tag of a request that no edge has seen: stable everywhere. */
    public static TrafficTag empty() {
        return EMPTY;
    }

    public boolean isEmpty() {
        return hasEmptyHeader() && colors.isEmpty();
    }

    /** Whether nothing of it goes into {@link TagCodec#HEADER}: it has colors at most. */
    boolean hasEmptyHeader() {
        return uid.isEmpty() && channel.isEmpty() && assignments.isEmpty();
    }

    /** The same with these colors. */
    public TrafficTag withColors(ChannelColors other) {
        return other.equals(colors) ? this : new TrafficTag(uid, channel, assignments, other);
    }

    /** The version that this tag asks of a release; null when it is stable there. */
    public @Nullable String versionIn(String release) {
        for (int i = 0; i < assignments.size(); i++) {
            if (assignments.get(i).release().equals(release)) {
                return assignments.get(i).version();
            }
        }
        return null;
    }
}
