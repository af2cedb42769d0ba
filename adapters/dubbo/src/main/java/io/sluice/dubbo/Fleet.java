package io.sluice.dubbo;

import io.sluice.core.tag.Color;
import java.util.List;
import org.apache.dubbo.registry.client.ServiceInstance;
import org.jspecify.annotations.Nullable;

/** How many instances of one application a registry has of each color. */
record Fleet(int blue, int green) {
    static final Fleet NONE = new Fleet(0, 0);

    /** @param own the address of the instance that is left out; null for none */
    static Fleet of(List<ServiceInstance> instances, @Nullable String own) {
        int blue = 0;
        int green = 0;
        for (ServiceInstance each : instances) {
            String color = each.getMetadata().get(InstanceMetadata.COLOR);
            if (!each.getAddress().equals(own)) {
                blue += Color.BLUE.label().equals(color) ? 1 : 0;
                green += Color.GREEN.label().equals(color) ? 1 : 0;
            }
        }
        return new Fleet(blue, green);
    }

    Fleet with(Color color) {
        return color == Color.BLUE ? new Fleet(blue + 1, green) : new Fleet(blue, green + 1);
    }
}
