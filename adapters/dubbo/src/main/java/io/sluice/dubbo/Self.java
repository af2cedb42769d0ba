package io.sluice.dubbo;

import io.sluice.core.observation.Vantage;
import io.sluice.core.problem.Problems;
import io.sluice.core.rule.Names;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TrafficTag;
import org.jspecify.annotations.Nullable;

/**
 * Who a Dubbo application is.
 *
 * @param service its name in the rules, which is the name of the Dubbo application
 * @param version what it runs, {@code stable} when it is no canary
 * @param color the side of its channel that it stands on; null when it stands on none
 * @param instance its name, the same after a restart at the same place, like {@code order@10.0.0.7:20880}
 */
public record Self(String service, String version, @Nullable Color color, String instance) {
    /** @throws io.sluice.core.problem.RefusedException with every problem */
    public Self {
        Problems problems = new Problems();
        problems.part("service", () -> Names.requireService(service));
        if (!version.equals(TrafficTag.STABLE_VERSION)) {
            problems.part("version", () -> Names.requireVersion(version));
        }
        problems.part("instance", () -> Names.requireInstance(instance));
        problems.throwIfAny();
    }

    /** From where it observes its requests, for an {@link io.sluice.core.observation.ObservationRecorder}. */
    public Vantage vantage() {
        return new Vantage.Instance(service, version, color);
    }
}
