package io.sluice.core.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.decision.Percent;
import io.sluice.testing.Requirement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever is pushed, dropped or merged: what a listener heard adds up to what is, and no event came twice. */
@Requirement("D3")
class TrafficRulesPropertyTest {
    private static final Percent HALF = Percent.of(50);

    /** One publication. @param heard whether the listener's thread gets its turn before the next one */
    record Push(List<Channel> channels, boolean heard) {}

    /** What a listener knows that keeps the books by events alone, and protests where an event makes no sense. */
    private static final class Books implements ChannelListener {
        private final Map<String, Page> pages = new TreeMap<>();

        private static final class Page {
            private boolean inRelease;
            private boolean allBlue;
            private boolean allGreen;
            private Percent blue = HALF;
        }

        private Page page(Channel channel) {
            return pages.computeIfAbsent(channel.id(), id -> new Page());
        }

        @Override
        public void onStart(Channel channel) {
            Page page = page(channel);
            assertThat(page.inRelease).isFalse();
            page.inRelease = true;
        }

        @Override
        public void onFinish(Channel channel) {
            Page page = page(channel);
            assertThat(page.inRelease).isTrue();
            assertThat(page.allBlue || page.allGreen).isFalse();
            assertThat(page.blue).isEqualTo(HALF);
            page.inRelease = false;
        }

        @Override
        public void onFlowChange(Channel channel) {
            Page page = page(channel);
            assertThat(page.inRelease).isTrue();
            assertThat(channel.bluePercent()).isNotEqualTo(page.blue);
            page.blue = channel.bluePercent();
        }

        @Override
        public void onEnterAllBlue(Channel channel) {
            Page page = page(channel);
            assertThat(page.allBlue || page.allGreen).isFalse();
            page.allBlue = true;
        }

        @Override
        public void onExitAllBlue(Channel channel) {
            Page page = page(channel);
            assertThat(page.allBlue).isTrue();
            page.allBlue = false;
        }

        @Override
        public void onEnterAllGreen(Channel channel) {
            Page page = page(channel);
            assertThat(page.allBlue || page.allGreen).isFalse();
            page.allGreen = true;
        }

        @Override
        public void onExitAllGreen(Channel channel) {
            Page page = page(channel);
            assertThat(page.allGreen).isTrue();
            page.allGreen = false;
        }

        void mustSay(Map<String, Channel> channels) {
            pages.forEach((id, page) -> {
                Channel channel = channels.getOrDefault(id, Channel.of(id, List.of("gone")));
                assertThat(page.inRelease).as(id).isEqualTo(channel.isInRelease());
                assertThat(page.blue).as(id).isEqualTo(channel.bluePercent());
                assertThat(page.allBlue).as(id).isEqualTo(channel.bluePercent().equals(Percent.HUNDRED));
                assertThat(page.allGreen).as(id).isEqualTo(channel.bluePercent().equals(Percent.ZERO));
            });
            channels.forEach((id, channel) -> assertThat(pages.containsKey(id) || !channel.isInRelease())
                    .as(id)
                    .isTrue());
        }
    }

    @Property(tries = 2000)
    void eventsAddUpToWhatIs(@ForAll("pushes") List<Push> pushes) {
        Deque<Runnable> turns = new ArrayDeque<>();
        InMemoryRuleSource source = new InMemoryRuleSource();
        TrafficRules rules = new TrafficRules(source, "a", () -> turns::add);
        Books all = new Books();
        Books own = new Books();
        rules.listenToAll(all);
        rules.listen(own);

        for (int i = 0; i < pushes.size(); i++) {
            Push push = pushes.get(i);
            source.offer(RuleSet.of(0, i + 1, List.of(), push.channels()));
            if (push.heard() || i == pushes.size() - 1) {
                runAll(turns);
                all.mustSay(byId(source.current().channels()));
                own.mustSay(byId(rules.myChannel().stream().toList()));
            }
        }

        assertThat(rules.failedCalls()).isZero();
    }

    @Provide
    Arbitrary<List<Push>> pushes() {
        return Combinators.combine(channels(), Arbitraries.of(true, false))
                .as(Push::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(30);
    }

    /** Two services, in one channel, in two, in each other's or in none. */
    private static Arbitrary<List<Channel>> channels() {
        Arbitrary<List<List<String>>> services = Arbitraries.of(
                List.of(),
                List.of(List.of("a")),
                List.of(List.of("a", "b")),
                List.of(List.of("a"), List.of("b")),
                List.of(List.of("b"), List.of("a")));
        Arbitrary<List<Integer>> shares =
                Arbitraries.of(-1, 0, 1, 50, 99, 100).list().ofSize(2);
        Arbitrary<List<String>> releases = Arbitraries.of("r1", "r2").list().ofSize(2);
        return Combinators.combine(services, shares, releases).as(TrafficRulesPropertyTest::channels);
    }

    private static List<Channel> channels(List<List<String>> services, List<Integer> shares, List<String> releases) {
        List<Channel> channels = new ArrayList<>();
        for (int i = 0; i < services.size(); i++) {
            String[] names = services.get(i).toArray(String[]::new);
            String id = "c" + i;
            channels.add(
                    shares.get(i) < 0
                            ? SampleChannel.calm(id, names)
                            : SampleChannel.in(id + "-" + releases.get(i), shares.get(i), id, names));
        }
        return channels;
    }

    private static Map<String, Channel> byId(List<Channel> channels) {
        Map<String, Channel> byId = new TreeMap<>();
        channels.forEach(channel -> byId.put(channel.id(), channel));
        return byId;
    }

    private static void runAll(Deque<Runnable> turns) {
        for (Runnable turn = turns.poll(); turn != null; turn = turns.poll()) {
            turn.run();
        }
    }
}
