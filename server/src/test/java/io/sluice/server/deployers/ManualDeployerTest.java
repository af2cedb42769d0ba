package io.sluice.server.deployers;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.channel.Deployer.Order;
import io.sluice.core.channel.Deployer.Progress;
import io.sluice.core.channel.Deployer.Target;
import io.sluice.core.tag.Color;
import io.sluice.testing.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManualDeployerTest {
    @Test
    @Requirement("C6")
    void peopleAreToldExactlyWhatToDo() {
        Target green = new Target("stock", Color.GREEN, "v2", 1, List.of());
        Target batch = new Target("pay", null, "v2", 2, List.of("pay@10.0.0.7:8080", "pay@10.0.0.8:8080"));

        Progress progress = new ManualDeployer().deploy(Orders.of("k", Orders.blue("order", "v2", 3), green, batch));

        assertThat(progress)
                .isEqualTo(
                        new Progress.WaitsForHuman(
                                "deploy order v2 on the blue side, 3 instances; stock v2 on the green side, 1 instance;"
                                        + " pay v2, only pay@10.0.0.7:8080 and pay@10.0.0.8:8080; then promote release trade-1"));
    }

    @Test
    void outsideAReleaseNothingIsToBePromoted() {
        Order order = new Order("scale-1", "", "trade", List.of(Orders.blue("order", "v1", 4)));

        assertThat(new ManualDeployer().deploy(order))
                .isEqualTo(new Progress.WaitsForHuman("deploy order v1 on the blue side, 4 instances"));
    }
}
