package io.sluice.wire;

import io.sluice.core.channel.ChannelReleaseSpec;
import io.sluice.core.channel.Check;
import io.sluice.core.channel.Strategy;
import io.sluice.core.channel.Waits;
import io.sluice.core.problem.Problems;
import java.util.List;

/**
 * A request for a new release of a channel. It does not name the channel's services; who keeps the channel knows them.
 *
 * @param why for the journal; may be empty
 */
public record ChannelReleaseRequest(
        String id,
        String channel,
        String version,
        Strategy strategy,
        String deployer,
        Check check,
        Waits waits,
        String why) {
    public ChannelReleaseRequest {
        Problems problems = new Problems();
        problems.part("why", () -> ReleaseRequest.requireWhy(why));
        problems.throwIfAny();
    }

    /**
     * What is asked for, of a channel of these services.
     *
     * @throws io.sluice.core.problem.RefusedException with every problem
     */
    public ChannelReleaseSpec spec(List<String> services) {
        return new ChannelReleaseSpec(id, channel, services, version, strategy, deployer, check, waits);
    }
}
