package io.sluice.wire.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.decision.Percent;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.ChannelListener;
import io.sluice.core.rule.Flow;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.rule.TrafficRules;
import io.sluice.core.tag.Color;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The traffic rules SDK as an application without any framework uses it; docs/sdk.md shows the same. */
@Requirement({"D1", "D2", "D3"})
@Timeout(120)
class TrafficRulesOverTheNetworkTest {
    @Test
    void applicationAsksAndHearsWhatTheServerPublishes() throws InterruptedException {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        try (FakeServer server = FakeServer.of(rules(1, Channel.of("trade", List.of("order"))));
                RuleSource source = RemoteRuleSource.builder(server.address()).start();
                TrafficRules rules = new TrafficRules(source, "order")) {
            boolean before = rules.isMyChannelInRelease();
            rules.listen(new ChannelListener() {
                @Override
                public void onStart(Channel channel) {
                    heard.add("start");
                }

                @Override
                public void onFlowChange(Channel channel) {
                    heard.add("flow " + channel.bluePercent());
                }

                @Override
                public void onEnterAllGreen(Channel channel) {
                    heard.add("all green");
                }
            });
            server.publish(rules(2, inRelease(Percent.ZERO)));

            assertThat(before).isFalse();
            assertThat(List.of(heard.take(), heard.take(), heard.take()))
                    .containsExactly("start", "flow 0%", "all green");
            assertThat(rules.isMyChannelInRelease()).isTrue();
            assertThat(rules.bluePercent()).isEqualTo(Percent.ZERO);

            server.stop();
            assertThat(rules.myChannel()).contains(inRelease(Percent.ZERO));
        }
    }

    private static RuleSet rules(long revision, Channel channel) {
        return RuleSet.of(1, revision, List.of(), List.of(channel));
    }

    private static Channel inRelease(Percent blue) {
        Duration slow = Duration.ofMillis(300);
        Flow flow = new Flow("trade-2026-11", "v2", Color.BLUE, blue, null, 1, slow, slow);
        return new Channel("trade", List.of("order"), flow, Set.of());
    }
}
