package io.sluice.migration.shadow;

import static io.sluice.migration.shadow.Shelf.AVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.plan.Side;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
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
                .mirror(key -> {
                    newer.becomes(legacy.state());
                    return true;
                })
                .tally(counted)
                .start();
        AtomicInteger reads = new AtomicInteger();
        AtomicBoolean isDone = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            // One write for a few reads, at no particular moment of theirs.
            for (int version = 1; !isDone.get(); version++) {
                legacy.becomes(new Versioned<>(version, version));
                int until = reads.get() + 3;
                while (reads.get() < until && !isDone.get()) {
                    Thread.onSpinWait();
                }
            }
        });
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
                reads.incrementAndGet();
            }
            await().until(() -> counted.all() == READS);
        } finally {
            isDone.set(true);
            writer.join();
            shadow.close();
        }
        return shadow;
    }
}
