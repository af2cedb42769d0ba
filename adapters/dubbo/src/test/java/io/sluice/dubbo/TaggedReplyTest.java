package io.sluice.dubbo;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.propagation.Scope;
import io.sluice.core.propagation.StrictTagStorage;
import io.sluice.core.propagation.TagContext;
import io.sluice.core.tag.TrafficTag;
import io.sluice.testing.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.dubbo.rpc.AppResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@Requirement("L6")
class TaggedReplyTest {
    private final StrictTagStorage storage = new StrictTagStorage();
    private final Scope strict = TagContext.use(storage);
    private final TrafficTag tag = new TrafficTag("10086", "app", List.of());
    private final CompletableFuture<AppResponse> reply = new CompletableFuture<>();
    private final List<TrafficTag> seen = new ArrayList<>();

    @AfterEach
    void end() {
        strict.close();
        storage.assertNoLeaks();
    }

    @Test
    void callbacksRunWithTheTagOfTheCall() {
        CompletableFuture<AppResponse> tagged = TaggedReply.of(reply, tag);
        tagged.whenComplete((answer, failure) -> seen.add(TagContext.current()));

        reply.complete(new AppResponse("done"));

        assertThat(seen).containsExactly(tag);
        assertThat(TagContext.current()).isEqualTo(TrafficTag.empty());
    }

    @Test
    void aFailureIsTheSameFailure() {
        IllegalStateException lost = new IllegalStateException("lost");
        CompletableFuture<AppResponse> tagged = TaggedReply.of(reply, tag);

        reply.completeExceptionally(lost);

        assertThat(tagged).isCompletedExceptionally();
        assertThat(tagged.handle((answer, failure) -> failure).join()).isSameAs(lost);
    }

    @Test
    void cancellingReachesTheCall() {
        TaggedReply.of(reply, tag).cancel(true);

        assertThat(reply).isCancelled();
    }
}
