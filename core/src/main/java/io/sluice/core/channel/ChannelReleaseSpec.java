package io.sluice.core.channel;

import io.sluice.core.problem.Problems;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.Names;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What was asked for when a release of a channel was created. Nothing of it changes while the release lives.
 *
 * @param id names the release in files and addresses, and places its customers
 * @param channel the channel
 * @param services the channel's services at that time, in alphabetical order
 * @param version what all instances run at the end
 * @param strategy how they get there
 * @param deployer who brings the version to the instances: the name of one of the server's deployers
 * @param check how a deployed side is verified
 * @param waits how long it waits for what it cannot see
 */
public record ChannelReleaseSpec(
        String id,
        String channel,
        List<String> services,
        String version,
        Strategy strategy,
        String deployer,
        Check check,
        Waits waits) {
    /** @throws io.sluice.core.problem.RefusedException with every problem */
    public ChannelReleaseSpec {
        Problems problems = new Problems();
        problems.part("id", () -> Names.requireId(id));
        problems.part("channel", () -> Names.requireId(channel));
        List<String> given = services;
        List<String> checked = problems.part("", () -> Channel.requireServices(given));
        problems.part("version", () -> Names.requireVersion(version));
        problems.part("deployer", () -> Names.requireId(deployer));
        if (strategy instanceof Strategy.BlueGreen blueGreen) {
            for (String service : blueGreen.extra().keySet()) {
                problems.require(given.contains(service), "extra", service, "must be a service of channel " + channel);
            }
        }
        problems.throwIfAny();
        services = checked == null ? List.of() : checked;
    }

    /** @throws io.sluice.core.problem.RefusedException when the deployer is not one of these */
    void requireDeployer(Set<String> known) {
        Problems problems = new Problems();
        problems.require(
                known.contains(deployer),
                "deployer",
                deployer,
                "must be one of " + String.join(", ", new TreeSet<>(known)));
        problems.throwIfAny();
    }
}
