package io.sluice.core.propagation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.tag.ChannelColors;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TrafficTag;
import io.sluice.testing.Requirement;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

@Requirement("E3")
class StrictTagStorageTest extends TagStorageContract {
    private final StrictTagStorage storage = new StrictTagStorage();

    @Override
    TagStorage create() {
        return new StrictTagStorage();
    }

    @Test
    void findsAScopeThatStaysOpenAndTellsWhereItWasOpened() {
        storage.attach(ALICE);

        assertThatIllegalStateException()
                .isThrownBy(storage::assertNoLeaks)
                .withMessage(
                        "a scope is still open on " + Thread.currentThread().getName())
                .havingCause()
                .satisfies(where -> assertThat(where.getStackTrace())
                        .anyMatch(frame ->
                                frame.getMethodName().equals("findsAScopeThatStaysOpenAndTellsWhereItWasOpened")));
    }

    @Test
    void findsALeakOnAnotherThread() {
        CompletableFuture.runAsync(() -> storage.attach(ALICE)).join();

        assertThatIllegalStateException().isThrownBy(storage::assertNoLeaks);
    }

    @Test
    void findsScopesClosedInTheWrongOrder() {
        Scope outer = storage.attach(ALICE);
        storage.attach(BOB);

        assertThatIllegalStateException().isThrownBy(outer::close).withMessageContaining("out of order");
    }

    @Test
    void findsAScopeClosedTwice() {
        Scope scope = storage.attach(ALICE);
        scope.close();

        assertThatIllegalStateException().isThrownBy(scope::close).withMessageContaining("closed twice");
    }

    @Test
    void findsAScopeClosedOnAnotherThread() {
        Scope scope = storage.attach(ALICE);

        assertThatThrownBy(() -> CompletableFuture.runAsync(scope::close).join())
                .hasRootCauseMessage("opened here")
                .hasMessageContaining("on another thread");
    }

    @Test
    void findsALeakOfATagThatHasColorsAlone() {
        TrafficTag blue = TrafficTag.empty().withColors(ChannelColors.none().with("trade", Color.BLUE));

        Scope scope = storage.attach(blue);

        assertThat(storage.current().colors().in("trade")).isEqualTo(Color.BLUE);
        assertThatIllegalStateException().isThrownBy(storage::assertNoLeaks);
        scope.close();
        assertThat(storage.current()).isSameAs(TrafficTag.empty());
    }

    @Test
    void isContentWhenAllIsClosed() {
        try (Scope outer = storage.attach(ALICE);
                Scope inner = storage.attach(BOB)) {
            assertThat(storage.current()).isSameAs(BOB);
        }

        assertThatCode(storage::assertNoLeaks).doesNotThrowAnyException();
    }
}
