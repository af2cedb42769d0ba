package io.sluice.core.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.identity.Identity;
import io.sluice.testing.Requirement;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.StringLength;

class RampPropertyTest {
    @Requirement({"A6", "F17"})
    @Property
    void raisingThePercentOnlyAddsCustomers(
            @ForAll BucketHash hash,
            @ForAll @StringLength(min = 1, max = 40) String salt,
            @ForAll String customer,
            @ForAll @IntRange(max = 10_000) int one,
            @ForAll @IntRange(max = 10_000) int other) {
        Identity who = Identity.ofCustomer(customer);

        Decision atLess = weighted(hash, salt, Math.min(one, other)).decide(who);
        Decision atMore = weighted(hash, salt, Math.max(one, other)).decide(who);

        assertThat(atMore.lane()).isGreaterThanOrEqualTo(atLess.lane());
        assertThat(atMore.bucket()).isEqualTo(atLess.bucket());
    }

    @Requirement({"A2", "L1"})
    @Property
    void sameCustomerStaysOnTheSameLane(
            @ForAll BucketHash hash,
            @ForAll @StringLength(min = 1, max = 40) String salt,
            @ForAll @NotEmpty @AlphaChars String customer,
            @ForAll String oneRequest,
            @ForAll String nextRequest,
            @ForAll @IntRange(max = 10_000) int basisPoints) {
        Split here = weighted(hash, salt, basisPoints);
        Split afterRestart = weighted(hash, salt, basisPoints);

        Decision first = here.decide(Identity.of(customer, oneRequest, "app"));
        Decision again = afterRestart.decide(Identity.of(customer, nextRequest, "web"));

        assertThat(again).isEqualTo(first);
    }

    @Requirement("A3")
    @Property
    void aPercentReadsWhatItWrites(@ForAll @IntRange(max = 10_000) int basisPoints) {
        Percent percent = new Percent(basisPoints);

        assertThat(Percent.parse(percent.number())).isEqualTo(percent);
    }

    private static Split weighted(BucketHash hash, String salt, int basisPoints) {
        return new Weighted(Bucketing.of(hash, salt), new Percent(basisPoints), Set.of());
    }
}
