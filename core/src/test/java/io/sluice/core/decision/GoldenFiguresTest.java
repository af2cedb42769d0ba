package io.sluice.core.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.testing.Requirement;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class GoldenFiguresTest {
    private static final String[] CUSTOMERS = Customers.numbered(100_000);

    @Requirement("A9")
    @ParameterizedTest(name = "{0} % of 100,000 customers")
    @CsvSource({"1, 1088, 915", "5, 5049, 5005", "10, 10088, 9996", "25, 25098, 24945", "50, 50079, 50047"})
    void publishedCountsHold(int percent, int plain, int mixed) {
        assertThat(onCanary(BucketHash.FNV1A, percent)).isEqualTo(plain);
        assertThat(onCanary(BucketHash.FNV1A_MIXED, percent)).isEqualTo(mixed);
    }

    @Requirement("A1")
    @Test
    void halfOfAThousandUnsaltedKeysIsAsPublished() {
        long below50 = IntStream.range(0, 1_000)
                .map(i -> Fnv1a.update(Fnv1a.OFFSET_BASIS, String.format("sku-%03d", i)))
                .filter(hash -> Integer.remainderUnsigned(hash, 100) < 50)
                .count();

        assertThat(below50).isEqualTo(498);
    }

    @Requirement({"A3", "L4"})
    @ParameterizedTest(name = "{0}")
    @EnumSource
    void sharesBelowOnePercentAreMetWithinThreeSigma(BucketHash hash) {
        String[] million = Customers.numbered(1_000_000);
        Bucketing bucketing = Bucketing.of(hash, "release-2026-10");

        long oneInAThousand = Customers.onCanary(bucketing, Percent.parse("0.1"), million);
        long oneInTenThousand = Customers.onCanary(bucketing, Percent.parse("0.01"), million);

        assertThat(oneInAThousand).isCloseTo(1_000, within(95L));
        assertThat(oneInTenThousand).isCloseTo(100, within(30L));
    }

    private static long onCanary(BucketHash hash, int percent) {
        return Customers.onCanary(Bucketing.of(hash, "release-2026-10"), Percent.of(percent), CUSTOMERS);
    }
}
