package io.sluice.server.deployers;

import static org.awaitility.Awaitility.await;

import io.sluice.core.channel.Deployer;
import io.sluice.core.channel.Deployer.Order;
import io.sluice.core.channel.Deployer.Progress;
import io.sluice.core.channel.Deployer.Target;
import io.sluice.core.tag.Color;
import java.time.Duration;
import java.util.List;

/** Orders as a release gives them, and the end of them. */
final class Orders {
    private Orders() {}

    static Order of(String key, Target... targets) {
        return new Order(key, "trade-1", "trade", List.of(targets));
    }

    static Target blue(String service, String version, int instances) {
        return new Target(service, Color.BLUE, version, instances, List.of());
    }

    /** Asks until the order has ended, as the channel's loop does. */
    static Progress awaitEnd(Deployer deployer, Order order) {
        return await().pollInterval(Duration.ofMillis(20))
                .until(() -> deployer.deploy(order), progress -> !(progress instanceof Progress.Running));
    }
}
