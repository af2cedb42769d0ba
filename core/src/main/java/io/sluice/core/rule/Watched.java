package io.sluice.core.rule;

import io.sluice.core.decision.Lane;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TrafficTag;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A release whose requests are counted, on two lanes beside each other. */
public sealed interface Watched permits ReleaseRule, Channel.Released, Channel.Renewed {
    /** The release. */
    String release();

    /** Counts its changes of weight, so that observations of one stage are never taken for another's. */
    long step();

    /** A request that takes longer counts as slow. */
    Duration slowerThan();

    /** A request that is still under way after so long is told of as overdue. */
    Duration overdueAfter();

    /** What is released together, in alphabetical order. */
    List<String> services();

    boolean covers(String service);

    /** The lane that a tag holds. */
    Lane laneOf(TrafficTag tag);

    /** The lane that an instance serves, whatever the tags of its requests say. @param color null when it has none */
    Lane laneOfInstance(String version, @Nullable Color color);

    /** Whether a customer's lane is left to chance. The empty id is nobody's. */
    boolean isByChance(String uid);

    /** Whether a tag tells the lane of its request. Where it does not, only the instance that serves it can. */
    boolean isToldByTags();
}
