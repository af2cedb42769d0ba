package io.sluice.core.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Decision;
import io.sluice.core.decision.Percent;
import io.sluice.core.decision.Weighted;
import io.sluice.core.identity.Identity;
import io.sluice.core.identity.RequestView;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TrafficTag;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * While rules are swapped as fast as they can be, every decision names one revision, and that revision alone leads to the same
 * decision again. {@code -Dsluice.revisions=5000000} for longer.
 */
@Requirement("F6")
class WholeDecisionsTest {
    private static final long REVISIONS = Long.getLong("sluice.revisions", 50_000);
    private static final int READERS = 2;

    private final InMemoryRuleSource source = new InMemoryRuleSource();
    private final Queue<String> torn = new ConcurrentLinkedQueue<>();
    private final AtomicLong decisions = new AtomicLong();

    @Test
    void everyDecisionIsThatOfTheRevisionThatItNames() throws InterruptedException {
        source.offer(stamped(1));
        List<Thread> readers = new ArrayList<>();
        for (int reader = 0; reader < READERS; reader++) {
            int first = reader;
            readers.add(new Thread(() -> decideUntilTheLast(first)));
        }

        readers.forEach(Thread::start);
        for (long revision = 2; revision <= REVISIONS; revision++) {
            source.offer(stamped(revision));
        }
        for (Thread reader : readers) {
            reader.join();
        }

        assertThat(torn).isEmpty();
        System.out.printf("%d decisions while %d revisions came, none torn%n", decisions.get(), REVISIONS);
    }

    private void decideUntilTheLast(int first) {
        long named = 0;
        for (long i = first; named < REVISIONS; i += READERS) {
            Identity who = Identity.ofCustomer("c-" + i % 1_000);
            RuleSet rules = source.current();
            TrafficTag tag = rules.dye(RequestView.empty(), who);
            Map<ReleaseRule, Decision> why = rules.explain(RequestView.empty(), who);
            ReleaseRule rule = why.keySet().iterator().next();

            named = Long.parseLong(rule.version().substring(1));
            RuleSet again = stamped(named);
            boolean isWhole = again.dye(RequestView.empty(), who).equals(tag)
                    && again.explain(RequestView.empty(), who).equals(why)
                    && rules.revision() == named;
            if (!isWhole) {
                torn.add(rules + " for " + who);
            }
            decisions.incrementAndGet();
        }
    }

    /** Everything in it follows from the revision. */
    private static RuleSet stamped(long revision) {
        int percent = (int) (revision % 101);
        ReleaseRule release = new ReleaseRule(
                "r1",
                "v" + revision,
                List.of("order"),
                new Weighted(
                        Bucketing.of(BucketHash.FNV1A_MIXED, "salt-" + revision),
                        Percent.of(percent),
                        Set.of("c-" + revision % 1_000)),
                List.of(Rule.of(
                        "rule-" + revision, new Match.UidSuffix(String.valueOf(revision % 10)), Percent.of(percent))),
                revision,
                Duration.ofMillis(revision));
        Flow flow = new Flow(
                "r2",
                "v" + revision,
                Color.BLUE,
                Percent.of(100 - percent),
                null,
                revision,
                Duration.ofMillis(revision),
                Duration.ofMillis(revision));
        return RuleSet.of(
                0, revision, List.of(release), List.of(new Channel("trade", List.of("user"), flow, Set.of())));
    }
}
