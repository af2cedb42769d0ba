package io.sluice.server.channels;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.channel.Workload;
import io.sluice.core.decision.Percent;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.Flow;
import io.sluice.core.tag.Color;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlannedSharesTest {
    private static final List<Workload> FLEET = List.of(
            Samples.workload("order", "b1", Color.BLUE, "v1"),
            Samples.workload("order", "b2", Color.BLUE, "v1"),
            Samples.workload("order", "g1", Color.GREEN, "v1"),
            Samples.workload("user", "u1", Color.GREEN, "v1"));

    @Test
    void outsideAReleaseAllShareAlike() {
        Map<String, Double> shares = PlannedShares.of(Channel.of("trade", List.of("order", "user")), FLEET);

        assertThat(shares).isEqualTo(Map.of("b1", 1 / 3.0, "b2", 1 / 3.0, "g1", 1 / 3.0, "u1", 1.0));
    }

    @Test
    void inAReleaseTheShareOfAColorIsDividedAmongItsInstances() {
        Flow flow =
                new Flow("r", "v2", Color.BLUE, Percent.of(10), null, 1, Duration.ofSeconds(1), Duration.ofSeconds(1));
        Channel channel = new Channel("trade", List.of("order", "user"), flow, Set.of());

        assertThat(PlannedShares.of(channel, FLEET)).isEqualTo(Map.of("b1", 0.05, "b2", 0.05, "g1", 0.9, "u1", 0.9));
    }

    @Test
    void whoRestsGetsNothing() {
        Channel channel = new Channel("trade", List.of("order", "user"), null, Set.of("b1"));

        assertThat(PlannedShares.of(channel, FLEET)).isEqualTo(Map.of("b1", 0.0, "b2", 0.5, "g1", 0.5, "u1", 1.0));
    }
}
