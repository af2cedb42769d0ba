package io.sluice.dubbo;

import io.sluice.core.propagation.TagContext;
import io.sluice.core.tag.TrafficTag;
import java.util.concurrent.CompletableFuture;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.AppResponse;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.InvokeMode;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.cluster.filter.ClusterFilter;
import org.apache.dubbo.rpc.model.ApplicationModel;

/**
 * Puts the current tag on a call, with every color that is still to be decided, before a provider is picked. What is called
 * back when the answer of an asynchronous call comes has the same tag. Made by Dubbo.
 */
@Activate(group = CommonConstants.CONSUMER, order = -100_000)
public final class CallerFilter implements ClusterFilter {
    /** The call's tag, for whoever picks the provider, on each try. */
    static final String TAG = "io.sluice.tag";

    /** Why nobody may serve the call. */
    static final String REFUSAL = "io.sluice.refusal";

    private final Slot slot;

    public CallerFilter(ApplicationModel application) {
        this.slot = Slot.of(application);
    }

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) {
        SluiceDubbo sluice = slot.get();
        if (sluice == null) {
            return invoker.invoke(invocation);
        }
        TrafficTag tag = sluice.completed(TagContext.current());
        Attachments.write(tag, invocation);
        invocation.put(TAG, tag);
        try {
            Result result = invoker.invoke(invocation);
            callBackIn(tag, result, invocation);
            return result;
        } catch (RpcException failure) {
            throw explained(failure, invocation);
        }
    }

    /** Dubbo says that nobody is there, and it is as often that nobody may. */
    private static RpcException explained(RpcException failure, Invocation invocation) {
        return failure.isNoInvokerAvailableAfterFilter() && invocation.get(REFUSAL) instanceof String why
                ? new RpcException(failure.getCode(), why, failure)
                : failure;
    }

    private static void callBackIn(TrafficTag tag, Result result, Invocation invocation) {
        if (result instanceof AsyncRpcResult async
                && invocation instanceof RpcInvocation call
                && call.getInvokeMode() != InvokeMode.SYNC) {
            CompletableFuture<AppResponse> reply = async.getResponseFuture();
            if (!reply.isDone()) {
                async.setResponseFuture(TaggedReply.of(reply, tag));
            }
        }
    }
}
