package io.sluice.core.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CustomerCounterTest {
    private static final long CUSTOMER = CustomerHash.of("42");

    /** What another thread does meanwhile; once. */
    private Runnable meanwhile = () -> {};

    private final CustomerCounter counter = new CustomerCounter(new Interrupted(), new Interrupted());
    private final List<CustomerTally> drains = new ArrayList<>();

    @Test
    void aDrainTakesOutWhatItCounted() {
        counter.record(CUSTOMER, true, false);
        counter.record(CUSTOMER, false, true);
        counter.recordAnonymous(true, true);

        CustomerTally first = counter.drain();

        assertThat(first.seen().estimate()).isEqualTo(1);
        assertThat(first.failed()).isEqualTo(first.slow());
        assertThat(first.anonymousFailed()).isEqualTo(1);
        assertThat(first.anonymousSlow()).isEqualTo(1);
        assertThat(counter.drain()).isEqualTo(CustomerTally.empty());
    }

    @Requirement("B5")
    @Test
    void whoFailsWhileADrainComesBetweenIsSeenThereOrLater() {
        meanwhile = this::drain;

        counter.record(CUSTOMER, true, true);
        drain();

        assertThat(drains).extracting(drained -> drained.failed().size()).containsExactly(1, 0);
        assertThat(drains).extracting(drained -> drained.seen().estimate()).containsExactly(0L, 1L);
    }

    @Requirement("B5")
    @Test
    void whoFailsWithinADrainIsSeenThereOrLater() {
        meanwhile = () -> counter.record(CUSTOMER, true, true);

        drain();
        drain();

        assertThat(drains).extracting(drained -> drained.seen().estimate()).containsExactly(0L, 1L);
        assertThat(drains.get(0).failed().size() + drains.get(1).failed().size())
                .isEqualTo(1);
    }

    private void drain() {
        drains.add(counter.drain());
    }

    /** Between its steps another thread has its turn. */
    private final class Interrupted extends SampleCounter {
        @Override
        void add(long customer) {
            super.add(customer);
            takeTurn();
        }

        @Override
        CustomerSample drain() {
            CustomerSample drained = super.drain();
            takeTurn();
            return drained;
        }

        private void takeTurn() {
            Runnable turn = meanwhile;
            meanwhile = () -> {};
            turn.run();
        }
    }
}
