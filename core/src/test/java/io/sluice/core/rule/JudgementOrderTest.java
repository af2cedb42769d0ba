package io.sluice.core.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.decision.Decision;
import io.sluice.core.decision.Lane;
import io.sluice.core.decision.Percent;
import io.sluice.core.decision.Split;
import io.sluice.core.identity.Identity;
import io.sluice.core.identity.RequestView;
import io.sluice.testing.Requirement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Bucket of {@code vip-1}: 1690. Of {@code customer-42}: 4118. Of {@code req-1}: 6377. */
class JudgementOrderTest {
    private static final String SALT = "release-2026-10";
    private static final Identity VIP = Identity.of("vip-1", null, "app");
    private static final Identity CUSTOMER = Identity.of("customer-42", null, "app");
    private static final Identity ANONYMOUS = Identity.ofRequest("req-1");

    private static final Rule EVERY_TESTER = rule("testers", new Match.Header("X-Tester", "1"), 100);
    private static final Rule NO_KIOSK = rule("no-kiosk", new Match.Header("X-Kiosk", "1"), 0);
    private static final Rule HALF_OF_THE_APP = rule("half-app", new Match.Channel("app"), 50);
    private static final Rule NO_TWO = rule("no-42", new Match.UidSuffix("42"), 0);

    static List<Arguments> cases() {
        Split tenPercent = SampleRule.split(SALT, 10);
        Split withVip = SampleRule.split(SALT, 10, "vip-1", "customer-42");
        Split aborted = withVip.abort("p99");
        List<Rule> all = List.of(HALF_OF_THE_APP, EVERY_TESTER, NO_KIOSK);
        return List.of(
                Arguments.of("abort before the allowlist", aborted, all, Map.of(), VIP, Lane.STABLE, "abort:p99"),
                Arguments.of(
                        "abort before an exact rule",
                        aborted,
                        all,
                        Map.of("X-Tester", "1"),
                        CUSTOMER,
                        Lane.STABLE,
                        "abort:p99"),
                Arguments.of(
                        "abort before a percentage rule", aborted, all, Map.of(), CUSTOMER, Lane.STABLE, "abort:p99"),
                Arguments.of(
                        "allowlist before the percentage",
                        withVip,
                        List.of(),
                        Map.of(),
                        VIP,
                        Lane.CANARY,
                        "customer_allowlist"),
                Arguments.of(
                        "allowlist before an exact rule",
                        withVip,
                        all,
                        Map.of("X-Kiosk", "1"),
                        VIP,
                        Lane.CANARY,
                        "customer_allowlist"),
                Arguments.of(
                        "allowlist before a rule by id",
                        withVip,
                        List.of(NO_TWO),
                        Map.of(),
                        CUSTOMER,
                        Lane.CANARY,
                        "customer_allowlist"),
                Arguments.of(
                        "exact rule before a percentage rule",
                        tenPercent,
                        all,
                        Map.of("X-Kiosk", "1"),
                        VIP,
                        Lane.STABLE,
                        "rule:no-kiosk"),
                Arguments.of(
                        "exact rule before the percentage",
                        tenPercent,
                        all,
                        Map.of("X-Tester", "1"),
                        ANONYMOUS,
                        Lane.CANARY,
                        "rule:testers"),
                Arguments.of(
                        "of two exact rules the first given",
                        tenPercent,
                        all,
                        Map.of("X-Tester", "1", "X-Kiosk", "1"),
                        CUSTOMER,
                        Lane.CANARY,
                        "rule:testers"),
                Arguments.of(
                        "percentage rule before the percentage",
                        tenPercent,
                        all,
                        Map.of(),
                        CUSTOMER,
                        Lane.CANARY,
                        "rule:half-app"),
                Arguments.of(
                        "percentage when no rule matches", tenPercent, all, Map.of(), ANONYMOUS, Lane.STABLE, "weight"),
                Arguments.of(
                        "percentage when there are no rules",
                        tenPercent,
                        List.of(),
                        Map.of(),
                        VIP,
                        Lane.STABLE,
                        "weight"),
                Arguments.of(
                        "nobody is stable", tenPercent, all, Map.of(), Identity.nobody(), Lane.STABLE, "no_identity"),
                Arguments.of(
                        "a rule takes even nobody",
                        tenPercent,
                        all,
                        Map.of("X-Tester", "1"),
                        Identity.nobody(),
                        Lane.CANARY,
                        "rule:testers"));
    }

    @Requirement({"A4", "A7", "A8", "D6", "F30"})
    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void theFirstThatAppliesDecides(
            String name,
            Split split,
            List<Rule> rules,
            Map<String, String> headers,
            Identity who,
            Lane lane,
            String reason) {
        ReleaseRule release = SampleRule.of("r1", split, 1, rules, "order");

        Decision decision = release.decide(headers::get, who);

        assertThat(decision).isEqualTo(new Decision(lane, split.bucket(who), reason));
    }

    @Requirement("D6")
    @Test
    void exactRulesAreAskedFirstAndOtherwiseAsGiven() {
        Rule tenth = rule("tenth", new Match.Channel("app"), 10);

        ReleaseRule release = SampleRule.of(
                "r1", SampleRule.split(SALT, 1), 1, List.of(tenth, HALF_OF_THE_APP, EVERY_TESTER, NO_KIOSK), "order");

        assertThat(release.rules()).containsExactly(EVERY_TESTER, NO_KIOSK, tenth, HALF_OF_THE_APP);
    }

    @Requirement("A6")
    @ParameterizedTest(name = "{0} % by rule")
    @CsvSource({"41, STABLE", "42, CANARY"})
    void aPercentageRuleUsesTheReleasesOwnBuckets(int percent, Lane lane) {
        Rule app = rule("app", new Match.Channel("app"), percent);
        ReleaseRule release = SampleRule.of("r1", SampleRule.split(SALT, 1), 1, List.of(app), "order");

        assertThat(release.decide(RequestView.empty(), CUSTOMER)).isEqualTo(new Decision(lane, 4118, "rule:app"));
    }

    @Requirement("L2")
    @Test
    void everyConditionOfARuleMustHold() {
        Match both = new Match.All(List.of(new Match.Header("X-A", "1"), new Match.Header("X-B", "2")));

        assertThat(both.matches(Map.of("X-A", "1", "X-B", "2")::get, CUSTOMER)).isTrue();
        assertThat(both.matches(Map.of("X-A", "1")::get, CUSTOMER)).isFalse();
        assertThat(both.matches(Map.of("X-B", "2")::get, CUSTOMER)).isFalse();
    }

    private static Rule rule(String name, Match match, int percent) {
        return Rule.of(name, match, Percent.of(percent));
    }
}
