package io.sluice.migration.shadow;

import static io.sluice.migration.shadow.Shelf.AVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.plan.Side;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A writer and a reader on one key, while the other side follows late. */
@Requirement({"I5", "F74"})
@Timeout(60)
class InFlightWritesTest {
    private static final Grant GRANT = Grant.of("sku-1", Side.LEGACY, 1L << 20);
    private static final int READS = 20_000;

    private final Shelf legacy = new Shelf(0, 0);
    private final Shelf newer = new Shelf(0, 0);
    private final Counted counted = new Counted();
    private final Semaphore wanted = new Semaphore(0);
    private final AtomicInteger mirrored = new AtomicInteger();

    @Test
    void noWriteUnderWayIsTakenForADifference() throws InterruptedException {
        readWhileWritten();

        assertThat(counted.different).hasValue(0);
        assertThat(counted.same).as("it was looked at").hasValueGreaterThan(100);
    }

    @Test
    void aWrongReadAmongThemIsFound() throws InterruptedException {
        newer.reads(state -> state.value() % 10 == 3 ? new Versioned<>(state.value() - 1, state.version()) : state);

        try (ShadowReads<Shelf> shadow = readWhileWritten()) {
            assertThat(counted.different).hasValueGreaterThan(0);
            assertThat(shadow.differences().kept()).allSatisfy(difference -> {
                assertThat(difference.authorityValue()).endsWith("3");
                assertThat(Integer.parseInt(difference.otherValue()))
                        .isEqualTo(Integer.parseInt(difference.authorityValue()) - 1);
            });
        }
    }

    private ShadowReads<Shelf> readWhileWritten() throws InterruptedException {
        ShadowReads<Shelf> shadow = ShadowReads.builder(legacy, newer)
                .sample(10_000)
                .queue(10_000)
                .timeOut(Duration.ofSeconds(10))
                .mirror(this::mirror)
                .tally(counted)
                .start();
        Thread writer = new Thread(this::write);
        writer.start();
        try {
            for (int i = 0; i < READS; i++) {
                if (i % 50 == 0) {
                    // As fast as it is compared, so that reads and writes stay side by side.
                    int next = i;
                    await().pollDelay(Duration.ZERO)
                            .pollInterval(Duration.ofMillis(1))
                            .until(() -> next - counted.all() < 50);
                }
                shadow.offer(GRANT, AVAILABLE, AVAILABLE.on(legacy, GRANT));
                if (i % 3 == 0) {
                    wanted.release();
                }
            }
            await().until(() -> counted.all() == READS);
        } finally {
            writer.interrupt();
            writer.join();
            shadow.close();
        }
        return shadow;
    }

    private void write() {
        try {
            for (int version = 1; ; version++) {
                wanted.acquire();
                legacy.becomes(new Versioned<>(version, version));
            }
        } catch (InterruptedException done) {
            // The test is over.
        }
    }

    /** Every other time a write comes right behind the copy, before anything is read again. */
    private boolean mirror(String key) {
        Versioned<Integer> copied = legacy.state();
        newer.becomes(copied);
        if (mirrored.getAndIncrement() % 2 == 0) {
            wanted.release();
            while (legacy.state().equals(copied)) {
                Thread.onSpinWait();
            }
        }
        return true;
    }
}
