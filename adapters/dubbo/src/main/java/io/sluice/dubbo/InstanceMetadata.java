package io.sluice.dubbo;

import io.sluice.core.tag.TrafficTag;
import java.util.Map;
import org.apache.dubbo.registry.client.ServiceInstance;
import org.apache.dubbo.registry.client.ServiceInstanceCustomizer;
import org.apache.dubbo.rpc.cluster.Constants;
import org.apache.dubbo.rpc.model.ApplicationModel;

/**
 * Registers an instance under what it says of itself, and under a weight in any case: Dubbo's random balancer looks at the
 * first provider only to see whether weights matter. Made by Dubbo.
 */
public final class InstanceMetadata implements ServiceInstanceCustomizer {
    static final String COLOR = "color";

    /** Not {@code version}, which in Dubbo is the version of an interface. */
    static final String VERSION = "sluice.version";

    static final String WEIGHT = "weight";

    /** In milliseconds; Dubbo knows no way to say none. */
    private static final String NO_WARMUP = "1";

    @Override
    public void customize(ServiceInstance instance, ApplicationModel application) {
        SluiceDubbo sluice = Slot.of(application).get();
        if (sluice == null) {
            return;
        }
        Self self = sluice.self();
        Map<String, String> metadata = instance.getMetadata();
        metadata.put(WEIGHT, String.valueOf(sluice.weight()));
        if (!self.version().equals(TrafficTag.STABLE_VERSION)) {
            metadata.put(VERSION, self.version());
        }
        if (self.color() != null) {
            metadata.put(COLOR, self.color().label());
            // For ten minutes after a restart Dubbo would give less than the weight says, and a release restarts one
            // side.
            metadata.put(Constants.WARMUP_KEY, NO_WARMUP);
        }
    }
}
