package io.sluice.migration.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.migration.branch.Grant;
import io.sluice.migration.owner.Amounts;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.owner.OwnerChangedException;
import io.sluice.migration.plan.Side;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class InMemoryFenceTest {
    private static final Runnable NOTHING = () -> {};

    private final AtomicReference<Runnable> onRead = new AtomicReference<>(NOTHING);
    private final MemoryStore store = new MemoryStore();
    private final InMemoryOwners owners = new InMemoryOwners(store, () -> {
        onRead.getAndSet(NOTHING).run();
        return 0;
    });

    /** The clock is looked at with the row, so there it can be told what is done between the two steps of the fence. */
    @Test
    @Requirement("I7")
    void aWriteHoldsTheKeyBeforeItReadsWhoOwnsIt() {
        move(Side.NEW);
        AtomicReference<Boolean> isDrained = new AtomicReference<>(true);
        try (MemoryTransaction write = store.begin()) {
            onRead.set(() -> isDrained.set(CompletableFuture.supplyAsync(() -> {
                        Owned frozen = owners.freeze("a", Side.LEGACY, 0);
                        return owners.drain(frozen, Duration.ofMillis(50));
                    })
                    .join()));
            try {
                owners.admitWrite(write, Grant.of("a", Side.NEW, 1));
            } catch (OwnerChangedException refusedAsWell) {
                // It is held and then read: either answer is safe.
            }

            assertThat(isDrained.get()).isFalse();
        }
    }

    private void move(Side to) {
        owners.handOver(owners.freeze("a", to, 1), (transaction, key, from, side) -> Amounts.NONE);
    }
}
