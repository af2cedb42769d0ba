package io.sluice.core.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.decision.Percent;
import io.sluice.core.rule.InMemoryRuleSource.Offer;
import io.sluice.core.tag.Color;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@Requirement("D1")
class InMemoryRuleSourceTest {
    private final InMemoryRuleSource source = new InMemoryRuleSource();

    @Test
    void beforeAnyRulesEverybodyIsStable() {
        assertThat(source.current()).isSameAs(RuleSet.empty());
        assertThat(source.state()).isEqualTo(RuleState.NO_RULES);
    }

    @Requirement({"D5", "F5"})
    @Test
    void newerWinsAndNothingElseDoes() {
        RuleSet second = revision(2, 10);

        assertThat(source.offer(second)).isEqualTo(Offer.APPLIED);
        assertThat(source.offer(revision(2, 10))).isEqualTo(Offer.KNOWN);
        assertThat(source.offer(revision(2, 20))).isEqualTo(Offer.CONFLICT);
        assertThat(source.offer(revision(1, 10))).isEqualTo(Offer.OLDER);
        assertThat(source.current()).isSameAs(second);
        assertThat(source.state()).isEqualTo(RuleState.FRESH);
    }

    @Requirement("F5")
    @Test
    void rulesOfRevisionZeroContradictHavingNone() {
        assertThat(source.offer(revision(0, 10))).isEqualTo(Offer.CONFLICT);
        assertThat(source.offer(RuleSet.empty())).isEqualTo(Offer.KNOWN);
        assertThat(source.current()).isSameAs(RuleSet.empty());
    }

    /** Two hundred revisions in two epochs, each up to three times, in ten thousand orders. */
    @Requirement("F5")
    @Test
    void theNewestWinsInWhateverOrderRulesArrive() {
        List<RuleSet> deliveries = new ArrayList<>(IntStream.range(0, 450)
                .mapToObj(i -> RuleSet.of(i % 2, 1 + i % 200 / 2, List.of()))
                .toList());
        for (int seed = 0; seed < 10_000; seed++) {
            Collections.shuffle(deliveries, new Random(seed));
            InMemoryRuleSource shuffled = new InMemoryRuleSource();
            List<RuleSet> seen = new ArrayList<>();
            shuffled.subscribe(seen::add);

            deliveries.forEach(shuffled::offer);

            assertThat(shuffled.current()).as("seed %d", seed).isEqualTo(RuleSet.of(1, 100, List.of()));
            assertThat(isStrictlyRising(seen)).as("seed %d", seed).isTrue();
        }
    }

    /** Each with all revisions, at the same time. */
    @Requirement("F5")
    @Test
    void theNewestWinsWhenFourOriginsDeliverAtOnce() throws InterruptedException {
        for (int seed = 0; seed < 200; seed++) {
            InMemoryRuleSource raced = new InMemoryRuleSource();
            List<RuleSet> seen = new ArrayList<>();
            raced.subscribe(seen::add);
            List<Thread> origins = new ArrayList<>();
            for (int origin = 0; origin < 4; origin++) {
                List<RuleSet> deliveries = new ArrayList<>(IntStream.rangeClosed(1, 200)
                        .mapToObj(i -> RuleSet.of(0, i, List.of()))
                        .toList());
                Collections.shuffle(deliveries, new Random(seed * 4L + origin));
                origins.add(new Thread(() -> deliveries.forEach(raced::offer)));
            }

            origins.forEach(Thread::start);
            for (Thread origin : origins) {
                origin.join();
            }

            assertThat(raced.current().revision()).as("seed %d", seed).isEqualTo(200);
            assertThat(isStrictlyRising(seen)).as("seed %d", seed).isTrue();
        }
    }

    @Test
    void aListenerHearsTheCurrentRulesFirstAndThenEachNewerOne() {
        source.offer(revision(1, 10));
        List<Long> heard = new ArrayList<>();

        source.subscribe(rules -> heard.add(rules.revision()));
        source.offer(revision(3, 10));
        source.offer(revision(2, 10));
        source.offer(revision(4, 10));

        assertThat(heard).containsExactly(1L, 3L, 4L);
    }

    @Test
    void aListenerThatThrowsHoldsUpNobodyAndIsCalledAgain() {
        List<Long> failing = new ArrayList<>();
        List<Long> heard = new ArrayList<>();
        source.subscribe(rules -> {
            failing.add(rules.revision());
            throw new IllegalStateException("on purpose");
        });
        source.subscribe(rules -> heard.add(rules.revision()));

        Offer offer = source.offer(revision(1, 10));

        assertThat(offer).isEqualTo(Offer.APPLIED);
        assertThat(failing).containsExactly(0L, 1L);
        assertThat(heard).containsExactly(0L, 1L);
        assertThat(source.failedListeners()).isEqualTo(2);
    }

    @Test
    void aListenerWhoseClassesAreMissingHoldsUpNobody() {
        List<Long> heard = new ArrayList<>();
        source.subscribe(rules -> {
            throw new NoClassDefFoundError("on purpose");
        });
        source.subscribe(rules -> heard.add(rules.revision()));

        source.offer(revision(1, 10));

        assertThat(heard).containsExactly(0L, 1L);
    }

    @Requirement("F15")
    @Test
    void aListenerThatThrowsAnErrorHoldsUpNobody() {
        List<Long> heard = new ArrayList<>();
        source.subscribe(rules -> {
            throw new StackOverflowError("on purpose");
        });
        source.subscribe(rules -> {
            throw new AssertionError("on purpose");
        });
        source.subscribe(rules -> heard.add(rules.revision()));

        source.offer(revision(1, 10));

        assertThat(heard).containsExactly(0L, 1L);
        assertThat(source.failedListeners()).isEqualTo(4);
    }

    @Test
    void aClosedSubscriptionHearsNothingMore() {
        List<Long> heard = new ArrayList<>();
        RuleSource.Subscription subscription = source.subscribe(rules -> heard.add(rules.revision()));

        subscription.close();
        source.offer(revision(1, 10));

        assertThat(heard).containsExactly(0L);
    }

    @Requirement("F6")
    @Test
    void aReaderSeesOneWholeRuleSetOrAnother() throws InterruptedException {
        List<RuleSet> torn = Collections.synchronizedList(new ArrayList<>());
        Thread reader = new Thread(() -> {
            RuleSet rules = source.current();
            while (rules.revision() < 20_000) {
                if (rules.revision() > 0 && rules.release("r1").step() != rules.revision()) {
                    torn.add(rules);
                }
                rules = source.current();
            }
        });

        reader.start();
        IntStream.rangeClosed(1, 20_000)
                .mapToObj(i -> RuleSet.of(0, i, List.of(SampleRule.atStep("r1", i, "order"))))
                .forEach(source::offer);
        reader.join();

        assertThat(torn).isEmpty();
    }

    @Requirement("F6")
    @Test
    void aReaderSeesTheFlowOfAChannelWholeToo() throws InterruptedException {
        List<RuleSet> torn = Collections.synchronizedList(new ArrayList<>());
        Thread reader = new Thread(() -> {
            RuleSet rules = source.current();
            while (rules.revision() < 20_000) {
                if (rules.revision() > 0 && !rules.equals(flowing(rules.revision()))) {
                    torn.add(rules);
                }
                rules = source.current();
            }
        });

        reader.start();
        IntStream.rangeClosed(1, 20_000)
                .mapToObj(InMemoryRuleSourceTest::flowing)
                .forEach(source::offer);
        reader.join();

        assertThat(torn).isEmpty();
    }

    /** Everything in it follows from the revision. */
    private static RuleSet flowing(long revision) {
        boolean isClosed = revision % 101 == 0;
        Flow flow = new Flow(
                "r1",
                "v" + revision,
                Color.BLUE,
                Percent.of((int) (revision % 101)),
                isClosed ? Color.BLUE : null,
                revision,
                Duration.ofMillis(revision),
                Duration.ofSeconds(revision));
        Set<String> resting = Set.of("order@" + revision);
        return RuleSet.of(0, revision, List.of(), List.of(new Channel("trade", List.of("order"), flow, resting)));
    }

    private static boolean isStrictlyRising(List<RuleSet> seen) {
        return IntStream.range(1, seen.size()).allMatch(i -> seen.get(i).isNewerThan(seen.get(i - 1)));
    }

    private static RuleSet revision(long revision, int percent) {
        return RuleSet.of(0, revision, List.of(SampleRule.live("r1", percent, "order")));
    }
}
