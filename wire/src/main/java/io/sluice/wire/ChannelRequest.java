package io.sluice.wire;

import io.sluice.core.problem.Problems;
import io.sluice.core.rule.Channel;

/**
 * A request for a new channel.
 *
 * @param channel outside a release
 * @param why for the journal; may be empty
 */
public record ChannelRequest(Channel channel, String why) {
    public ChannelRequest {
        Problems problems = new Problems();
        problems.part("why", () -> ReleaseRequest.requireWhy(why));
        problems.throwIfAny();
    }
}
