package io.sluice.core.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.identity.Identity;
import io.sluice.core.problem.RefusedException;
import io.sluice.testing.Requirement;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SplitTest {
    private static final Bucketing PLAIN = Bucketing.of(BucketHash.FNV1A, "release-2026-10");
    private static final Identity VIP = Identity.ofCustomer("vip-1");
    private static final String[] CUSTOMERS = Customers.numbered(10_000);

    @Requirement("A3")
    @ParameterizedTest(name = "{0}")
    @EnumSource
    void zeroPercentIsNobodyAndHundredPercentIsEverybody(BucketHash hash) {
        Bucketing bucketing = Bucketing.of(hash, "release-2026-10");

        assertThat(Customers.onCanary(bucketing, Percent.ZERO, CUSTOMERS)).isZero();
        assertThat(Customers.onCanary(bucketing, Percent.HUNDRED, CUSTOMERS)).isEqualTo(10_000);
    }

    @Requirement("A3")
    @Test
    void aRequestOfNobodyIsCanaryAtHundredPercentOnly() {
        Identity nobody = Identity.nobody();

        assertThat(at("100").decide(nobody)).isEqualTo(new Decision(Lane.CANARY, 1773, "weight"));
        assertThat(at("99.99").decide(nobody)).isEqualTo(new Decision(Lane.STABLE, 1773, "no_identity"));
        assertThat(at("0").decide(nobody)).isEqualTo(new Decision(Lane.STABLE, 1773, "weight"));
    }

    @Requirement({"A1", "A7"})
    @ParameterizedTest(name = "bucket 4118 at {0} %")
    @CsvSource({"41.18, STABLE", "41.19, CANARY", "41.17, STABLE", "0.01, STABLE", "99.99, CANARY"})
    void theBucketMustLieStrictlyBelowThePercentage(String percent, Lane lane) {
        Decision decision = at(percent).decide(Identity.ofCustomer("customer-42"));

        assertThat(decision).isEqualTo(new Decision(lane, 4118, "weight"));
    }

    @Requirement("A2")
    @Test
    void onlyAnAnonymousRequestFallsBackToItsRequestId() {
        Split split = at("50");

        assertThat(split.bucket(Identity.of("customer-42", "req-1", null))).isEqualTo(4118);
        assertThat(split.bucket(Identity.of("", "req-1", null))).isEqualTo(6377);
        assertThat(split.bucket(Identity.of(null, "req-1", null))).isEqualTo(6377);
    }

    @Requirement("A4")
    @ParameterizedTest(name = "at {0} %")
    @CsvSource({"0", "0.01", "16.9", "16.91", "100"})
    void allowlistedCustomersAreCanaryAtAnyPercentage(String percent) {
        Decision decision = at(percent, "vip-1").decide(VIP);

        assertThat(decision).isEqualTo(new Decision(Lane.CANARY, 1690, "customer_allowlist"));
    }

    @Requirement("A4")
    @Test
    void theAllowlistKnowsCustomersAndNoRequestIds() {
        Decision decision = at("0", "vip-1").decide(Identity.ofRequest("vip-1"));

        assertThat(decision).isEqualTo(new Decision(Lane.STABLE, 1690, "weight"));
    }

    @Requirement({"A8", "F30"})
    @Test
    void abortSilencesTheAllowlist() {
        Split aborted = at("50", "vip-1").abort("manual_rollback");

        Decision decision = aborted.decide(VIP);

        assertThat(decision).isEqualTo(new Decision(Lane.STABLE, 1690, "abort:manual_rollback"));
        assertThat(aborted.percent()).isEqualTo(Percent.ZERO);
    }

    @Requirement({"A8", "F30"})
    @Test
    void abortSilencesTheRulesAndHundredPercent() {
        Split aborted = at("100").abort("p99");

        assertThat(aborted.decide(VIP, Percent.HUNDRED, "rule:testers").lane()).isEqualTo(Lane.STABLE);
        assertThat(aborted.decide(Identity.nobody()).lane()).isEqualTo(Lane.STABLE);
        assertThat(Arrays.stream(CUSTOMERS).map(Identity::ofCustomer).map(aborted::decide))
                .allMatch(decision -> decision.lane() == Lane.STABLE);
    }

    @Requirement("F31")
    @Test
    void anAbortKeepsItsFirstReason() {
        Split aborted = at("50").abort("first").abort("second");

        assertThat(aborted.decide(VIP).reason()).isEqualTo("abort:first");
    }

    @Test
    void everyUnusableIdOnTheAllowlistIsNamed() {
        Set<String> allow = Set.of("", "x".repeat(257), "\ud800");

        assertThatThrownBy(() -> new Weighted(PLAIN, Percent.ZERO, allow))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.problems()).hasSize(3))
                .hasMessageContaining("allow was an empty id, but must be ids of 1..256 bytes");
    }

    @Test
    void anAllowlistMayHaveTenThousandCustomersAndNoMore() {
        Set<String> most = IntStream.range(0, 10_000).mapToObj(i -> "c" + i).collect(Collectors.toSet());
        Set<String> tooMany = IntStream.range(0, 10_001).mapToObj(i -> "c" + i).collect(Collectors.toSet());

        assertThat(new Weighted(PLAIN, Percent.ZERO, most).allow()).hasSize(10_000);
        assertThatThrownBy(() -> new Weighted(PLAIN, Percent.ZERO, tooMany)).hasMessageContaining("10001 customers");
    }

    private static Split at(String percent, String... allow) {
        return new Weighted(PLAIN, Percent.parse(percent), Set.of(allow));
    }
}
