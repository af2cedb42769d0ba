package io.sluice.core.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SampleCounterTest {
    private final SampleCounter counter = new SampleCounter();

    @Requirement("B5")
    @ParameterizedTest(name = "{0} customers")
    @ValueSource(ints = {0, 1, 255, 256, 257, 1_000, 10_000, 100_000, 1_000_000})
    void exactlyThoseOfItsLevelAreInTheSample(int customers) {
        new SplittableRandom(1).longs(customers).forEach(counter::add);

        CustomerSample sample = counter.drain();

        assertThat(sample.stream())
                .containsExactly(new SplittableRandom(1)
                        .longs(customers)
                        .filter(hash -> CustomerSample.isIn(hash, sample.level()))
                        .sorted()
                        .boxed()
                        .toArray(Long[]::new));
        assertThat(sample.size()).isBetween(Math.min(customers, 32), CustomerSample.MOST_IN_REPORT);
        assertThat(sample.level() == 0).isEqualTo(customers <= CustomerSample.MOST_IN_REPORT);
    }

    @Test
    void whoComesAgainIsInItOnce() {
        for (int i = 0; i < 100; i++) {
            SampleCustomers.hashes(0, 200).forEach(counter::add);
        }

        CustomerSample sample = counter.drain();

        assertThat(sample.level()).isZero();
        assertThat(sample.size()).isEqualTo(200);
    }

    @Test
    void aDrainBeginsAnewAtTheLowestLevel() {
        SampleCustomers.hashes(0, 10_000).forEach(counter::add);
        counter.drain();
        SampleCustomers.hashes(0, 100).forEach(counter::add);

        CustomerSample second = counter.drain();

        assertThat(second.level()).isZero();
        assertThat(second.size()).isEqualTo(100);
        assertThat(counter.drain().isEmpty()).isTrue();
    }

    /** All of them want the same slots, so there is no room long before there are many. */
    @Test
    void whoFindsNoRoomIsNotInTheLevelEither() {
        long[] crowd = LongStream.rangeClosed(1, 200).map(i -> i << 3).toArray();
        LongStream.of(crowd).forEach(counter::add);

        CustomerSample sample = counter.drain();

        assertThat(sample.level()).isPositive();
        assertThat(sample.stream())
                .containsExactly(LongStream.of(crowd)
                        .filter(hash -> CustomerSample.isIn(hash, sample.level()))
                        .boxed()
                        .toArray(Long[]::new));
    }
}
