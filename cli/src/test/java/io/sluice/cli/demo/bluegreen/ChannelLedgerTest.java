package io.sluice.cli.demo.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.demo.load.Answer;
import io.sluice.cli.demo.load.Hop;
import io.sluice.cli.demo.load.RuleTimeline;
import io.sluice.cli.demo.load.Visit;
import io.sluice.core.decision.Percent;
import io.sluice.core.identity.Identity;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.Flow;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.tag.Color;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChannelLedgerTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final List<String> SERVICES = List.of("inventory", "order");

    private final RuleTimeline timeline = new RuleTimeline();
    private final ChannelLedger ledger = new ChannelLedger(timeline);

    @Test
    void bothColorsOfAChannelInReleaseInOneAnswerAreACrossing() {
        timeline.add(0, rules(1, flow(5, 1)));

        ledger.add(answer(10, new Hop("order", "v2", "blue"), new Hop("inventory", "v1", "green")));
        ledger.settle(60 * SECOND);

        assertThat(ledger.figures().crossed()).isEqualTo(1);
        assertThat(ledger.figures().samples()).singleElement().asString().contains("inventory");
    }

    @Test
    void colorsMayMixOutsideARelease() {
        timeline.add(0, rules(1, null));

        ledger.add(answer(10, new Hop("order", "v2", "blue"), new Hop("inventory", "v1", "green")));
        ledger.settle(60 * SECOND);

        assertThat(ledger.figures().crossed()).isZero();
    }

    @Test
    void answerNearTheStartOfAReleaseIsNoCrossing() {
        timeline.add(0, rules(1, null));
        timeline.add(10 * SECOND, rules(2, flow(5, 1)));

        ledger.add(answer(11, new Hop("order", "v2", "blue"), new Hop("inventory", "v1", "green")));
        ledger.settle(60 * SECOND);

        assertThat(ledger.figures().crossed()).isZero();
    }

    @Test
    void shareIsCountedOnlyWhereTheRulesAgree() {
        timeline.add(0, rules(1, flow(5, 1)));
        timeline.add(30 * SECOND, rules(2, flow(25, 2)));

        ledger.add(answer(10, new Hop("order", "v2", "blue")));
        ledger.add(answer(11, new Hop("order", "v1", "green")));
        ledger.add(answer(29, new Hop("order", "v1", "green")));
        ledger.add(answer(40, new Hop("order", "v2", "blue")));
        ledger.settle(60 * SECOND);

        assertThat(ledger.figures().steps())
                .containsExactly(
                        new ChannelLedger.Step("trade", "trade-1", 1, Percent.of(5), 1, 1),
                        new ChannelLedger.Step("trade", "trade-1", 2, Percent.of(25), 1, 0));
    }

    @Test
    void visitWithoutAnAnswerIsLost() {
        timeline.add(0, rules(1, flow(5, 1)));

        ledger.add(new Answer(visit(), 10 * SECOND, 11 * SECOND, 0, List.of()));
        ledger.add(new Answer(visit(), 10 * SECOND, 11 * SECOND, 503, List.of()));
        ledger.settle(60 * SECOND);

        assertThat(ledger.figures().lost()).isEqualTo(1);
        assertThat(ledger.figures().answers().failed()).isEqualTo(2);
    }

    private static Answer answer(int second, Hop... trace) {
        return new Answer(visit(), second * SECOND, second * SECOND + 1, 200, List.of(trace));
    }

    private static Visit visit() {
        return new Visit(0, Identity.ofCustomer("c-1"), "");
    }

    private static Flow flow(int blue, long step) {
        return new Flow(
                "trade-1",
                "v2",
                Color.BLUE,
                Percent.of(blue),
                null,
                step,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1));
    }

    private static RuleSet rules(long revision, @Nullable Flow flow) {
        return RuleSet.of(1, revision, List.of(), List.of(new Channel("trade", SERVICES, flow, Set.of())));
    }
}
