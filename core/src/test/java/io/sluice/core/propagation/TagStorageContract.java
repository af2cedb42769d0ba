package io.sluice.core.propagation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.tag.TrafficTag;
import io.sluice.testing.Requirement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What every storage of tags does when scopes are closed as they should be. */
@Requirement("E3")
abstract class TagStorageContract {
    static final TrafficTag ALICE = new TrafficTag("alice", "app", List.of());
    static final TrafficTag BOB = new TrafficTag("bob", "web", List.of());

    private final TagStorage storage = create();

    abstract TagStorage create();

    @Test
    void outsideEveryScopeTheTagIsEmpty() {
        assertThat(storage.current()).isSameAs(TrafficTag.empty());
    }

    @Test
    void aScopeEndsWithNothingLeftBehind() {
        try (Scope scope = storage.attach(ALICE)) {
            assertThat(storage.current()).isSameAs(ALICE);
        }

        assertThat(storage.current()).isSameAs(TrafficTag.empty());
    }

    @Test
    void anInnerScopeGivesBackTheOuterTag() {
        try (Scope outer = storage.attach(ALICE)) {
            try (Scope inner = storage.attach(BOB)) {
                assertThat(storage.current()).isSameAs(BOB);
            }
            assertThat(storage.current()).isSameAs(ALICE);
        }

        assertThat(storage.current()).isSameAs(TrafficTag.empty());
    }

    @Test
    void theEmptyTagHidesTheOuterOne() {
        try (Scope outer = storage.attach(ALICE);
                Scope inner = storage.attach(TrafficTag.empty())) {
            assertThat(storage.current()).isSameAs(TrafficTag.empty());
        }
    }

    @Test
    void aTagDoesNotCrossThreadsByItself() {
        try (Scope scope = storage.attach(ALICE)) {
            TrafficTag elsewhere =
                    CompletableFuture.supplyAsync(storage::current).join();

            assertThat(elsewhere).isSameAs(TrafficTag.empty());
        }
    }
}
