package io.sluice.core.observation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ServedRequestsTest {
    private final ServedRequests served = new ServedRequests();

    @Test
    void aRequestIsUnderWayUntilItEnds() {
        served.begin();
        served.begin();
        served.end();
        served.cross();

        assertThat(served.begun()).isEqualTo(2);
        assertThat(served.underWay()).isEqualTo(1);
        assertThat(served.crossed()).isEqualTo(1);
    }

    @Test
    @Timeout(120)
    void nothingIsLostOrNegativeWhileMoreThreadsCount() {
        List<CompletableFuture<Void>> threads = Stream.generate(() -> CompletableFuture.runAsync(this::serveMany))
                .limit(4)
                .toList();
        CompletableFuture<Void> all = CompletableFuture.allOf(threads.toArray(CompletableFuture<?>[]::new));

        while (!all.isDone()) {
            assertThat(served.underWay()).isBetween(0L, 40_000L);
        }

        assertThat(served.begun()).isEqualTo(40_000);
        assertThat(served.underWay()).isZero();
    }

    private void serveMany() {
        for (int i = 0; i < 10_000; i++) {
            served.begin();
            served.end();
        }
    }
}
