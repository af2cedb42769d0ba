package io.sluice.dubbo;

import io.sluice.core.propagation.Scope;
import io.sluice.core.propagation.TagContext;
import io.sluice.core.tag.TrafficTag;
import java.util.concurrent.CompletableFuture;
import org.apache.dubbo.rpc.AppResponse;
import org.jspecify.annotations.Nullable;

/** An answer to come, whose callbacks run with the tag of the call, whichever thread brings it. */
final class TaggedReply extends CompletableFuture<AppResponse> {
    private final CompletableFuture<AppResponse> reply;

    private TaggedReply(CompletableFuture<AppResponse> reply) {
        this.reply = reply;
    }

    static TaggedReply of(CompletableFuture<AppResponse> reply, TrafficTag tag) {
        TaggedReply tagged = new TaggedReply(reply);
        var unused = reply.whenComplete((answer, failure) -> tagged.complete(answer, failure, tag));
        return tagged;
    }

    @SuppressWarnings("try") // The scope is only opened and closed.
    private void complete(AppResponse answer, @Nullable Throwable failure, TrafficTag tag) {
        try (Scope scope = TagContext.with(tag)) {
            if (failure == null) {
                complete(answer);
            } else {
                completeExceptionally(failure);
            }
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        reply.cancel(mayInterruptIfRunning);
        return super.cancel(mayInterruptIfRunning);
    }
}
