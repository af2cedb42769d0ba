package io.sluice.cli.demo.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Percent;
import io.sluice.core.decision.Split;
import io.sluice.core.decision.Weighted;
import io.sluice.core.identity.Identity;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private static final String NEW = "v2.1.0";
    private static final String OLD = "stable";
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Split NOBODY =
            new Weighted(Bucketing.of(BucketHash.FNV1A_MIXED, "r"), Percent.ZERO, Set.of("vip"));

    private final RuleTimeline timeline = new RuleTimeline();
    private final Ledger ledger = new Ledger(NEW, GRACE, Duration.ofMillis(400), timeline);

    @Test
    void whoGetsTheVersionThatTheRulesSayIsRight() {
        timeline.add(seconds(0), rules(1, NOBODY));

        answered("vip", 10, NEW, NEW);
        answered("c-1", 10, OLD, OLD);

        assertThat(settled().wrong()).isZero();
        assertThat(settled().fallbacks()).isZero();
        assertThat(settled().canary().count()).isEqualTo(1);
        assertThat(settled().stable().count()).isEqualTo(1);
    }

    @Test
    void aStableCustomerServedByTheNewVersionAnywhereIsWrong() {
        timeline.add(seconds(0), rules(1, NOBODY));

        answered("c-1", 10, OLD, NEW);

        assertThat(settled().wrong()).isEqualTo(1);
        assertThat(settled().wrongSamples()).singleElement().asString().startsWith("c-1 got ");
    }

    @Test
    void aCanaryCustomerServedByStableFellBack() {
        timeline.add(seconds(0), rules(1, NOBODY));

        answered("vip", 10, OLD, NEW);

        assertThat(settled().wrong()).isZero();
        assertThat(settled().fallbacks()).isEqualTo(1);
    }

    @Test
    void aVersionThatNobodyReleasesIsWrong() {
        timeline.add(seconds(0), rules(1, NOBODY));

        answered("vip", 10, "v1.9.0", NEW);

        assertThat(settled().wrong()).isEqualTo(1);
    }

    @Test
    void whileARuleSpreadsEitherVersionIsRight() {
        timeline.add(seconds(0), RuleSet.empty());
        timeline.add(seconds(10), rules(1, NOBODY));

        answered("vip", 9, NEW, OLD);
        answered("vip", 11, OLD, OLD);

        assertThat(settled().wrong()).isZero();
        assertThat(settled().fallbacks()).isZero();
    }

    @Test
    void afterAnAbortTheAllowlistIsNoExcuse() {
        timeline.add(seconds(0), rules(1, NOBODY));
        timeline.add(seconds(10), rules(2, NOBODY.abort("error_rate=0.0600>0.0200")));

        answered("vip", 13, NEW, NEW);

        assertThat(settled().wrong()).isEqualTo(1);
        assertThat(timeline.abortOf("r")).hasValue(seconds(10));
    }

    @Test
    void aForgedTagThatGetsWhatItClaimsWasBelieved() {
        timeline.add(seconds(0), rules(1, NOBODY));

        ledger.add(answer(new Visit(1, Identity.ofCustomer("c-1"), "version=v2.1.0;release=r"), 10, NEW, NEW));
        ledger.add(answer(new Visit(2, Identity.ofCustomer("c-1"), "version=v2.1.0;release=r"), 10, OLD, OLD));

        assertThat(settled().forged()).isEqualTo(2);
        assertThat(settled().believed()).isEqualTo(1);
    }

    @Test
    void aVisitWithoutAnswerIsLostAndCountsWhereItBelonged() {
        timeline.add(seconds(0), rules(1, NOBODY));

        ledger.add(new Answer(visit("vip"), seconds(10), seconds(11), 0, List.of()));

        assertThat(settled().lost()).isEqualTo(1);
        assertThat(settled().canary().failed()).isEqualTo(1);
        assertThat(settled().firstBadCanary()).hasValue(seconds(11));
        assertThat(settled().lastCanarySent()).isEmpty();
    }

    @Test
    void anAnswerIsNotJudgedBeforeItsRulesAreKnown() {
        timeline.add(seconds(0), rules(1, NOBODY));
        answered("c-1", 10, OLD, OLD);

        ledger.settle(seconds(9));

        assertThat(ledger.figures().stable().count()).isZero();
    }

    private void answered(String customer, int atSecond, String orderVersion, String couponVersion) {
        ledger.add(answer(visit(customer), atSecond, orderVersion, couponVersion));
    }

    /** An answer that took half a second. */
    private static Answer answer(Visit visit, int atSecond, String orderVersion, String couponVersion) {
        List<Hop> trace =
                List.of(new Hop("order", orderVersion), new Hop("inventory", OLD), new Hop("coupon", couponVersion));
        return new Answer(visit, seconds(atSecond), seconds(atSecond), 200, trace);
    }

    private static Visit visit(String customer) {
        return new Visit(0, Identity.ofCustomer(customer), "");
    }

    private Ledger.Figures settled() {
        ledger.settle(seconds(1000));
        return ledger.figures();
    }

    private static RuleSet rules(long revision, Split split) {
        ReleaseRule rule = new ReleaseRule(
                "r", NEW, List.of("coupon", "order"), split, List.of(), revision, Duration.ofMillis(400));
        return RuleSet.of(1, revision, List.of(rule));
    }

    private static long seconds(int seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }
}
