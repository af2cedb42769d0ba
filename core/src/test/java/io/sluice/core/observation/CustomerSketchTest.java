package io.sluice.core.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testing.Requirement;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CustomerSketchTest {
    private static final double STANDARD_ERROR = 1.04 / Math.sqrt(1024);

    @Requirement("B5")
    @ParameterizedTest(name = "{0} customers")
    @ValueSource(ints = {10, 100, 500, 1_000, 2_000, 2_560, 3_000, 5_000, 10_000, 100_000, 1_000_000})
    void theEstimateIsWithinFourStandardErrors(int customers) {
        for (int seed = 1; seed <= 20; seed++) {
            LongStream some = new SplittableRandom(seed).longs(customers);

            assertThat(SampleCustomers.sketch(some).estimate())
                    .as("seed %d", seed)
                    .isCloseTo(customers, Percentage.withPercentage(400 * STANDARD_ERROR));
        }
    }

    @Requirement("B5")
    @ParameterizedTest(name = "{0} customers")
    @ValueSource(ints = {100, 1_000, 10_000, 100_000})
    void theEstimateHoldsForIdsInARow(int customers) {
        assertThat(SampleCustomers.sketch(SampleCustomers.hashes(0, customers)).estimate())
                .isCloseTo(customers, Percentage.withPercentage(400 * STANDARD_ERROR));
    }

    /** The error of one sketch is chance; that of many together is the method's own. */
    @Requirement("B5")
    @ParameterizedTest(name = "{0} customers: off by at most {1} %")
    @CsvSource({"100, 1", "400, 1", "1000, 1.5", "2000, 1.5", "3000, 3", "5000, 2", "20000, 1.5"})
    void theEstimateIsNotOffInOneDirection(int customers, double percent) {
        double mean = IntStream.range(0, 200)
                .mapToLong(seed -> SampleCustomers.sketch(new SplittableRandom(seed).longs(customers))
                        .estimate())
                .average()
                .orElseThrow();

        assertThat(mean).isCloseTo(customers, Percentage.withPercentage(percent));
    }

    @Test
    void nobodyIsNobody() {
        assertThat(CustomerSketch.empty().estimate()).isZero();
        assertThat(CustomerSketch.empty().isEmpty()).isTrue();
        assertThat(CustomerSketch.empty().text()).isEmpty();
        assertThat(CustomerSketch.parse("")).isEqualTo(CustomerSketch.empty());
    }

    @Test
    void theFirstAndTheLastRegisterAndRankAreWrittenAndRead() {
        CustomerSketch ends = SampleCustomers.sketch(LongStream.of(1L << 53, -1L << 54));

        assertThat(ends.text()).isEqualTo("AAH/9w");
        assertThat(CustomerSketch.parse("AAH/9w")).isEqualTo(ends);
        assertThat(ends.estimate()).isEqualTo(2);
    }

    @Test
    void whatSaysThatThereAreMoreThanCanBeDoesNotOverflowSums() {
        byte[] ranks = new byte[CustomerSketch.REGISTERS];
        Arrays.fill(ranks, (byte) 55);

        assertThat(new CustomerSketch(ranks).estimate()).isEqualTo(1L << 53);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "AAAA|seen was 3 bytes, but must be base64 of at most 2048 bytes in items of 2",
                "A*==|seen was A*==, but must be base64 of at most 2048 bytes in items of 2",
                "AAA=|seen was rank 0, but must have ranks of 1..55",
                "ADg=|seen was rank 56, but must have ranks of 1..55",
                "AEEAQQ|seen was register 1 after 1, but must have its registers in ascending order",
                "AIEAQQ|seen was register 1 after 2, but must have its registers in ascending order"
            })
    void whatNoSketchHasWrittenIsRefused(String text, String message) {
        assertThatThrownBy(() -> CustomerSketch.parse(text)).hasMessageStartingWith(message);
    }

    @Test
    void aTextThatIsTooLongIsRefusedUnread() {
        assertThatThrownBy(() -> CustomerSketch.parse("AEE".repeat(911) + "AA"))
                .hasMessage("seen was 2735 characters, but must be base64 of at most 2048 bytes in items of 2");
    }
}
