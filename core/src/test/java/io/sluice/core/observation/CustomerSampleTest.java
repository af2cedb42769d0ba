package io.sluice.core.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testing.Requirement;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CustomerSampleTest {
    @Requirement("B6")
    @Test
    void sampledDownAllLanesKeepTheirShares() {
        CustomerSample canary = CustomerSample.of(0, 1_000, SampleCustomers.hashes(0, 10_000));
        CustomerSample stable = CustomerSample.of(0, 8_192, SampleCustomers.hashes(10_000, 100_000));

        int level = Math.max(canary.level(), stable.level());
        long ofCanary = CustomerSample.of(level, 8_192, canary.stream()).size();
        long ofStable = CustomerSample.of(level, 8_192, stable.stream()).size();

        // Four standard errors of a share of 10 % among so many.
        double error = 4 * Math.sqrt(0.1 * 0.9 / (ofCanary + ofStable));
        assertThat(ofCanary / (double) (ofCanary + ofStable)).isCloseTo(0.1, Offset.offset(error));
        assertThat(ofCanary + ofStable).isBetween(4_000L, 9_000L);
    }

    @Test
    void theLevelOfBothRisesWhenTheyMerge() {
        CustomerSample low = CustomerSample.of(0, 256, LongStream.of(1, 2, 4, 8, 16));
        CustomerSample high = CustomerSample.of(3, 256, LongStream.of(24));

        CustomerSample merged = low.merge(high, 256);

        assertThat(merged.level()).isEqualTo(3);
        assertThat(merged.stream()).containsExactly(8L, 16L, 24L);
        assertThat(merged.contains(8)).isTrue();
        assertThat(merged.contains(4)).isFalse();
    }

    @Test
    void aRisenLevelSaysSomethingEvenOfNobody() {
        CustomerSample nobodyLeft = CustomerSample.of(5, 1, LongStream.empty());

        assertThat(nobodyLeft.isEmpty()).isFalse();
        assertThat(CustomerSample.empty().isEmpty()).isTrue();
        assertThat(CustomerSample.of(0, 1, LongStream.of(32, 33)).merge(nobodyLeft, 2).stream())
                .containsExactly(32L);
    }

    @Test
    void theLevelEndsSomewhere() {
        long zeros = 1L << 50;
        CustomerSample sample = CustomerSample.of(0, 1, LongStream.of(zeros, 2 * zeros));

        assertThat(sample.level()).isEqualTo(CustomerSample.HIGHEST_LEVEL);
    }

    @ParameterizedTest(name = "level {0}, {1}: {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "-1|''|level was -1, but must be within 0..40",
                "41|''|level was 41, but must be within 0..40",
                "0|AAAA|customers was 3 bytes, but must be base64 of at most 16 bytes in items of 8",
                "0|AAAAAAAAA*g|customers was AAAAAAAAA*g, but must be base64 of at most 16 bytes in items of 8",
                "0|AAAAAAAAAAEAAAAAAAAAAgAAAAAAAAAD|customers was 32 characters, but must be base64",
                "0|AAAAAAAAAAgAAAAAAAAACA|customers was 2 hashes, but must have each hash once, with its lowest 0 bits",
                "4|AAAAAAAAAAg|customers was 1 hashes, but must have each hash once, with its lowest 4 bits zero"
            })
    void whatNoSampleHasWrittenIsRefused(int level, String text, String message) {
        assertThatThrownBy(() -> CustomerSample.parse(level, text, 2)).hasMessageStartingWith(message);
    }
}
