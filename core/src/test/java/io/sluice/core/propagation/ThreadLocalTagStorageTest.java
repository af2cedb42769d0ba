package io.sluice.core.propagation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.tag.TrafficTag;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ThreadLocalTagStorageTest extends TagStorageContract {
    private final TagStorage storage = TagStorage.threadLocal();

    @Override
    TagStorage create() {
        return TagStorage.threadLocal();
    }

    @Test
    void closingTwiceChangesNothing() {
        Scope closed = storage.attach(ALICE);
        closed.close();

        try (Scope scope = storage.attach(BOB)) {
            closed.close();

            assertThat(storage.current()).isSameAs(BOB);
        }
    }

    @Test
    void closingOnAnotherThreadChangesNothing() {
        Scope scope = storage.attach(ALICE);

        CompletableFuture.runAsync(scope::close).join();

        assertThat(storage.current()).isSameAs(ALICE);
        scope.close();
        assertThat(storage.current()).isSameAs(TrafficTag.empty());
    }
}
