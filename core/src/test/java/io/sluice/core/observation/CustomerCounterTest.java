package io.sluice.core.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CustomerCounterTest {
    private static final int ROUNDS = 50_000;

    private final CustomerCounter counter = new CustomerCounter();

    /** In each round one thread records a new customer while the other drains; then both have ended, and it drains again. */
    @Requirement("B5")
    @Timeout(60)
    @Test
    void whoFailedIsSeenInTheSameDrainOrTheNext() throws InterruptedException {
        AtomicInteger round = new AtomicInteger();
        AtomicInteger recorded = new AtomicInteger();
        Thread recording = new Thread(() -> {
            for (int i = 1; i <= ROUNDS; i++) {
                awaitValue(round, i);
                counter.record(customer(i), true, true);
                recorded.set(i);
            }
        });
        recording.start();

        int missing = 0;
        int lost = 0;
        for (int i = 1; i <= ROUNDS; i++) {
            round.set(i);
            CustomerTally during = counter.drain();
            awaitValue(recorded, i);
            CustomerTally after = counter.drain();
            CustomerSketch one = SampleCustomers.sketch(LongStream.of(customer(i)));

            CustomerSketch seenFromThere = during.failed().isEmpty()
                    ? after.seen()
                    : during.seen().merge(after.seen());
            missing += seenFromThere.equals(one) ? 0 : 1;
            lost += during.failed().size() + after.failed().size() == 1 ? 0 : 1;
            lost += during.slow().size() + after.slow().size() == 1 ? 0 : 1;
        }
        recording.join();

        assertThat(missing).isZero();
        assertThat(lost).isZero();
    }

    @Test
    void aDrainTakesOutWhatItCounted() {
        counter.record(7, true, false);
        counter.record(7, false, true);
        counter.recordAnonymous(true, true);

        CustomerTally first = counter.drain();

        assertThat(first.seen().estimate()).isEqualTo(1);
        assertThat(first.failed()).isEqualTo(first.slow());
        assertThat(first.anonymousFailed()).isEqualTo(1);
        assertThat(first.anonymousSlow()).isEqualTo(1);
        assertThat(counter.drain()).isEqualTo(CustomerTally.empty());
    }

    private static long customer(int i) {
        return CustomerHash.of("c-" + i);
    }

    private static void awaitValue(AtomicInteger value, int wanted) {
        while (value.get() < wanted) {
            Thread.onSpinWait();
        }
    }
}
