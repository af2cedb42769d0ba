package io.sluice.wire;

import io.sluice.core.problem.Problems;
import io.sluice.core.tag.Color;

/**
 * A request to have another number of instances on one side of one service.
 *
 * @param instances how many there shall be, 0..1000
 * @param deployer who brings it about: the name of one of the server's deployers
 * @param why for the journal
 * @param version what they run, for a side of which nothing is known yet; empty for what it runs
 * @param override whether also while the channel is in release; it is undone at the end of that
 */
public record ScaleRequest(
        String service, Color color, int instances, String version, String deployer, String why, boolean override) {
    public ScaleRequest {
        Problems problems = new Problems();
        problems.part("why", () -> ReleaseRequest.requireWhy(why));
        problems.require(!why.isBlank(), "why", "empty", "must say why, for the journal");
        problems.throwIfAny();
    }
}
