package io.sluice.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PatientWaitsTest {
    @Test
    void aWaitWithoutALimitIsAPatientOne() {
        AtomicLong millisLeft = new AtomicLong();

        await().conditionEvaluationListener(looked -> millisLeft.set(looked.getRemainingTimeInMS()))
                .until(() -> true);

        assertThat(millisLeft.get()).isBetween(30_000L, PatientWaits.LONGEST.toMillis());
    }
}
