package io.sluice.core.rule;

import static io.sluice.core.rule.SampleChannel.at;
import static io.sluice.core.rule.SampleChannel.calm;
import static io.sluice.core.rule.SampleChannel.in;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.decision.Percent;
import io.sluice.core.tag.Color;
import io.sluice.testing.Requirement;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TrafficRulesTest {
    private final InMemoryRuleSource source = new InMemoryRuleSource();
    private final TrafficRules rules = new TrafficRules(source, "order", () -> Runnable::run);
    private long revision;

    @Requirement("D2")
    @Test
    void beforeAnyRulesEveryServiceIsInNoChannel() {
        assertThat(rules.myChannel()).isEmpty();
        assertThat(rules.isMyChannelInRelease()).isFalse();
        assertThat(rules.channelOf("coupon")).isEmpty();
        assertThat(rules.isInRelease("coupon")).isFalse();
        assertThat(rules.bluePercent()).isEqualTo(Percent.of(50));
        assertThat(rules.bluePercentOf("trade")).isEqualTo(Percent.of(50));
    }

    @Requirement("D2")
    @Test
    void questionsAreAnsweredForTheOwnAndForAnyService() {
        offer(at(5, "trade", "order", "inventory"), calm("user", "user"), at(100, "promo", "coupon"));

        assertThat(rules.myChannel()).map(Channel::id).contains("trade");
        assertThat(rules.isMyChannelInRelease()).isTrue();
        assertThat(rules.bluePercent()).isEqualTo(Percent.of(5));
        assertThat(rules.channelOf("user")).map(Channel::id).contains("user");
        assertThat(rules.isInRelease("user")).isFalse();
        assertThat(rules.isInRelease("coupon")).isTrue();
        assertThat(rules.bluePercentOf("promo")).isEqualTo(Percent.HUNDRED);
        assertThat(rules.bluePercentOf("user")).isEqualTo(Percent.of(50));
    }

    @Requirement("D2")
    @Test
    void questionsOfApplicationsWithoutNullChecksNeverThrow() {
        offer(at(5, "trade", "order"));

        assertThat(rules.channelOf(null)).isEmpty();
        assertThat(rules.isInRelease(null)).isFalse();
        assertThat(rules.bluePercentOf(null)).isEqualTo(Percent.of(50));
        assertThat(rules.bluePercentOf("..")).isEqualTo(Percent.of(50));
    }

    @Requirement("D3")
    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void aChangeIsToldInOrder(String name, List<Channel> before, List<Channel> after, List<String> told) {
        HeardEvents heard = new HeardEvents();
        offer(before);
        rules.listen(heard);
        heard.clear();

        offer(after);
        offer(after);

        assertThat(heard.all()).containsExactlyElementsOf(told);
    }

    static Stream<Arguments> changes() {
        List<Channel> none = List.of();
        List<Channel> calm = List.of(calm("trade", "order"));
        return Stream.of(
                change("a channel appears", none, calm, ""),
                change("a release starts at a half", calm, List.of(at(50, "trade", "order")), "start:trade:50"),
                change(
                        "a release starts with blue drained",
                        calm,
                        List.of(at(0, "trade", "order")),
                        "start:trade:0 flow:trade:0 enterAllGreen:trade:0"),
                change(
                        "blue is admitted",
                        List.of(at(0, "trade", "order")),
                        List.of(at(1, "trade", "order")),
                        "flow:trade:1 exitAllGreen:trade:1"),
                change(
                        "blue gets more",
                        List.of(at(1, "trade", "order")),
                        List.of(at(5, "trade", "order")),
                        "flow:trade:5"),
                change(
                        "blue gets all",
                        List.of(at(50, "trade", "order")),
                        List.of(at(100, "trade", "order")),
                        "flow:trade:100 enterAllBlue:trade:100"),
                change(
                        "all goes back",
                        List.of(at(100, "trade", "order")),
                        List.of(at(0, "trade", "order")),
                        "flow:trade:0 exitAllBlue:trade:0 enterAllGreen:trade:0"),
                change("a release ends at a half", List.of(at(50, "trade", "order")), calm, "finish:trade:50"),
                change(
                        "a release ends with all on blue",
                        List.of(at(100, "trade", "order")),
                        calm,
                        "flow:trade:50 exitAllBlue:trade:50 finish:trade:50"),
                change(
                        "the channel goes in the middle of its release",
                        List.of(at(0, "trade", "order")),
                        none,
                        "flow:trade:50 exitAllGreen:trade:50 finish:trade:50"),
                change(
                        "another release follows in the same push",
                        List.of(in("r1", 0, "trade", "order")),
                        List.of(in("r2", 0, "trade", "order")),
                        "flow:trade:50 exitAllGreen:trade:50 finish:trade:50"
                                + " start:trade:0 flow:trade:0 enterAllGreen:trade:0"),
                change(
                        "the service moves to another channel",
                        List.of(at(5, "trade", "order")),
                        List.of(at(100, "alpha", "order")),
                        "flow:trade:50 finish:trade:50 start:alpha:100 flow:alpha:100 enterAllBlue:alpha:100"),
                change(
                        "instances are told to leave",
                        List.of(at(0, "trade", "order")),
                        List.of(SampleChannel.closed(Color.BLUE, "trade", "order")),
                        ""),
                change(
                        "another channel changes",
                        List.of(at(5, "trade", "order"), at(5, "user", "user")),
                        List.of(at(5, "trade", "order"), at(100, "user", "user")),
                        ""));
    }

    private static Arguments change(String name, List<Channel> before, List<Channel> after, String told) {
        return Arguments.of(name, before, after, told.isEmpty() ? List.of() : List.of(told.split(" ")));
    }

    @Requirement("D3")
    @Test
    void aListenerThatComesLateIsToldWhatHolds() {
        offer(at(100, "trade", "order"));
        HeardEvents heard = new HeardEvents();

        rules.listen(heard);

        assertThat(heard.all()).containsExactly("start:trade:100", "flow:trade:100", "enterAllBlue:trade:100");
    }

    @Requirement("D3")
    @Test
    void aListenerOfAllChannelsHearsThemOneAfterTheOther() {
        HeardEvents heard = new HeardEvents();
        rules.listenToAll(heard);

        offer(at(50, "user", "user"), at(1, "trade", "order"));
        offer(at(5, "trade", "order"), calm("new", "new"));

        assertThat(heard.all())
                .containsExactly("start:trade:1", "flow:trade:1", "start:user:50", "finish:user:50", "flow:trade:5");
    }

    @Requirement("D3")
    @Test
    void aClosedSubscriptionHearsNothingMore() {
        HeardEvents one = new HeardEvents();
        HeardEvents other = new HeardEvents();
        RuleSource.Subscription subscription = rules.listen(one);
        rules.listen(other);

        subscription.close();
        offer(at(50, "trade", "order"));
        rules.close();
        offer(at(60, "trade", "order"));

        assertThat(one.all()).isEmpty();
        assertThat(other.all()).containsExactly("start:trade:50");
        assertThat(rules.bluePercent()).isEqualTo(Percent.of(60));
    }

    @Requirement("D3")
    @Test
    void aListenerThatClosesItselfHearsNothingMore() {
        HeardEvents heard = new HeardEvents();
        RuleSource.Subscription[] subscription = new RuleSource.Subscription[1];
        subscription[0] = rules.listen(new ChannelListener() {
            @Override
            public void onStart(Channel channel) {
                heard.onStart(channel);
                subscription[0].close();
            }

            @Override
            public void onFlowChange(Channel channel) {
                heard.onFlowChange(channel);
            }
        });

        offer(at(1, "trade", "order"));
        offer(at(5, "trade", "order"));

        assertThat(heard.all()).containsExactly("start:trade:1");
    }

    @Requirement({"D3", "F15"})
    @Test
    @Timeout(120)
    void aListenerThatBlocksHoldsUpNobodyAndHearsTheNewestAfterwards() throws InterruptedException {
        TrafficRules threaded = new TrafficRules(source, "order");
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        BlockingQueue<Percent> slow = new LinkedBlockingQueue<>();
        BlockingQueue<Percent> quick = new LinkedBlockingQueue<>();
        threaded.listen(new ChannelListener() {
            @Override
            public void onStart(Channel channel) {
                blocked.countDown();
                awaitUninterruptibly(release);
            }

            @Override
            public void onFlowChange(Channel channel) {
                slow.add(channel.bluePercent());
            }
        });
        threaded.listen(new ChannelListener() {
            @Override
            public void onFlowChange(Channel channel) {
                quick.add(channel.bluePercent());
            }
        });

        offer(at(50, "trade", "order"));
        blocked.await();
        offer(at(1, "trade", "order"));
        Percent first = quick.take();
        offer(at(5, "trade", "order"));
        Percent second = quick.take();
        release.countDown();

        assertThat(first).isEqualTo(Percent.of(1));
        assertThat(second).isEqualTo(Percent.of(5));
        assertThat(slow.take()).isEqualTo(Percent.of(5));
        assertThat(slow).isEmpty();
        threaded.close();
    }

    @Requirement({"D3", "F15"})
    @Test
    @Timeout(120)
    void aListenerThatThrowsWhateverItIsHoldsUpNobodyAndIsCalledAgain() throws InterruptedException {
        TrafficRules threaded = new TrafficRules(source, "order");
        BlockingQueue<String> failing = new LinkedBlockingQueue<>();
        BlockingQueue<Percent> heard = new LinkedBlockingQueue<>();
        threaded.listen(new ChannelListener() {
            @Override
            public void onStart(Channel channel) {
                failing.add("start");
                onStart(channel, 0);
            }

            @SuppressWarnings("InfiniteRecursion")
            private int onStart(Channel channel, int depth) {
                return onStart(channel, depth + 1) + 1;
            }

            @Override
            public void onFlowChange(Channel channel) {
                failing.add("flow");
                throw new AssertionError("on purpose");
            }

            @Override
            public void onEnterAllGreen(Channel channel) {
                failing.add("enterAllGreen");
                throw new IllegalStateException("on purpose");
            }
        });
        threaded.listen(new ChannelListener() {
            @Override
            public void onFlowChange(Channel channel) {
                heard.add(channel.bluePercent());
            }
        });

        offer(at(0, "trade", "order"));
        List<String> first = List.of(failing.take(), failing.take(), failing.take());
        Percent zero = heard.take();
        offer(at(1, "trade", "order"));
        String second = failing.take();

        assertThat(first).containsExactly("start", "flow", "enterAllGreen");
        assertThat(zero).isEqualTo(Percent.ZERO);
        assertThat(second).isEqualTo("flow");
        assertThat(heard.take()).isEqualTo(Percent.of(1));
        assertThat(threaded.failedCalls()).isGreaterThanOrEqualTo(3);
        threaded.close();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void offer(Channel... channels) {
        offer(List.of(channels));
    }

    private void offer(List<Channel> channels) {
        source.offer(RuleSet.of(0, ++revision, List.of(), channels));
    }
}
