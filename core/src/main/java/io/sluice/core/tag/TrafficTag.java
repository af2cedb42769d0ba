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
 */
public record TrafficTag(String uid, String channel, List<Assignment> assignments) {
    /** The version of everything that is no canary, in tags and in instance metadata alike. */
    public static final String STABLE_VERSION = "stable";

    private static final TrafficTag EMPTY = new TrafficTag("", "", List.of());

    public TrafficTag {
        assignments = List.copyOf(assignments);
    }

    /** The tag of a request that no edge has seen: stable everywhere. */
    public static TrafficTag empty() {
        return EMPTY;
    }

    public boolean isEmpty() {
        return uid.isEmpty() && channel.isEmpty() && assignments.isEmpty();
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
