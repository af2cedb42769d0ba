package io.sluice.server.deployers;

import io.sluice.core.channel.Deployer;
import io.sluice.core.tag.Color;
import java.util.stream.Collectors;

/** Leaves it to people, and tells them exactly what to do. */
final class ManualDeployer implements Deployer {
    @Override
    public Progress deploy(Order order) {
        String todo = order.targets().stream().map(ManualDeployer::sentence).collect(Collectors.joining("; "));
        String then = order.release().isEmpty() ? "" : "; then promote release " + order.release();
        return new Progress.WaitsForHuman("deploy " + todo + then);
    }

    /** Like {@code order v2 on the blue side, 3 instances}. */
    private static String sentence(Target target) {
        Color color = target.color();
        String side = color == null ? "" : " on the " + color.label() + " side";
        String count = target.instances() + (target.instances() == 1 ? " instance" : " instances");
        String which = target.only().isEmpty() ? count : "only " + String.join(" and ", target.only());
        return target.service() + " " + target.version() + side + ", " + which;
    }
}
