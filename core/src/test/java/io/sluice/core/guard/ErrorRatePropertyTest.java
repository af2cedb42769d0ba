package io.sluice.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.math.BigInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** The comparison without a limit on its numbers, which a guard can't afford to make for every look. */
@Requirement({"B2", "F29"})
class ErrorRatePropertyTest {
    private static final BigInteger MILLION = BigInteger.valueOf(1_000_000);

    @Property(tries = 5000)
    void comparesAsNumbersWithoutEndDo(
            @ForAll @IntRange(max = 1_000_000) int ppm, @ForAll("counts") long failed, @ForAll("counts") long count) {
        BigInteger wanted = BigInteger.valueOf(failed).multiply(MILLION);
        BigInteger allowed = BigInteger.valueOf(count).multiply(BigInteger.valueOf(ppm));

        assertThat(new ErrorRate(ppm).isExceededBy(failed, count)).isEqualTo(wanted.compareTo(allowed) > 0);
    }

    /** One failure to either side of the limit. */
    @Property(tries = 5000)
    void tellsTheLimitFromTheNextFailure(@ForAll @IntRange(max = 1_000_000) int ppm, @ForAll("counts") long count) {
        long most = BigInteger.valueOf(count)
                .multiply(BigInteger.valueOf(ppm))
                .divide(MILLION)
                .longValueExact();

        assertThat(new ErrorRate(ppm).isExceededBy(most, count)).isFalse();
        assertThat(new ErrorRate(ppm).isExceededBy(Math.min(most, Long.MAX_VALUE - 1) + 1, count))
                .isEqualTo(most < Long.MAX_VALUE);
    }

    @Provide
    Arbitrary<Long> counts() {
        return Arbitraries.oneOf(
                Arbitraries.longs().greaterOrEqual(0),
                Arbitraries.longs().between(0, 1_000_000),
                Arbitraries.longs().between(9_200_000_000_000L, 9_300_000_000_000L));
    }
}
