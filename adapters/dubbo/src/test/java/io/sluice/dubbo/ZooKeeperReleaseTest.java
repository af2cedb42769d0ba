package io.sluice.dubbo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ZooKeeperReleaseTest extends RegistrationContract {
    @Override
    TestRegistry startRegistry() throws Exception {
        return ZooKeeperRegistry.start();
    }

    /** Dubbo holds back what comes within five seconds of the notification before, from the eleventh on. */
    @Test
    @Requirement("F3")
    void aStrangerWithDubbosUsualDelayIsDrainedWithinIt() throws Exception {
        try (ChildProcess usual = child(resting(), "stranger", "", "-", "0")) {
            usual.awaitReady();
            usual.order("calls 100");
            for (int blue : List.of(99, 25, 75, 5, 95, 1, 80, 10)) {
                publish(blue, null);
                awaitPlan(blue);
            }

            publish(0, null);
            long start = System.nanoTime();
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> usual.order("weights").startsWith("{blue=0,0,"));
            System.out.println("drained for a stranger with the usual delay after "
                    + Duration.ofNanos(System.nanoTime() - start).toMillis() + " ms");

            assertThat(tallies(usual.order("calls 1000"))).containsOnlyKeys("green");
        }
    }
}
