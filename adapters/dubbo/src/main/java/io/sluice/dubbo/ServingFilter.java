package io.sluice.dubbo;

import io.sluice.core.observation.ObservationSink;
import io.sluice.core.propagation.Scope;
import io.sluice.core.propagation.TagContext;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TrafficTag;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * Makes a call's tag current while it is served, and notes how it went. The tag is believed: Dubbo is no edge. A call without
 * a color, from a caller without Sluice, gets that of this provider. Made by Dubbo.
 *
 * <p>A call that is answered asynchronously has its tag on the thread it came on, not on those of the application, and is noted
 * once, when it is answered.
 */
@Activate(group = CommonConstants.PROVIDER, order = -100_000)
public final class ServingFilter implements Filter {
    private final Slot slot;

    public ServingFilter(ApplicationModel application) {
        this.slot = Slot.of(application);
    }

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) {
        SluiceDubbo sluice = slot.get();
        return sluice == null || isDubbosOwn(invoker) ? invoker.invoke(invocation) : serve(sluice, invoker, invocation);
    }

    /** Callers ask for metadata whenever providers come and go, and that says nothing of a release. */
    private static boolean isDubbosOwn(Invoker<?> invoker) {
        return invoker.getInterface().getName().startsWith("org.apache.dubbo.");
    }

    private static Result serve(SluiceDubbo sluice, Invoker<?> invoker, Invocation invocation) {
        RuleSet rules = sluice.rules();
        Self self = sluice.self();
        TrafficTag tag = rules.colored(Attachments.read(invocation).tag(), self.service(), self.color());
        Served served = Served.begin(sluice, tag, isCrossed(rules.wantedColor(tag, self.service()), self.color()));
        Result result;
        try {
            result = invokeIn(tag, invoker, invocation);
        } catch (RuntimeException | Error broken) {
            served.end(broken);
            throw broken;
        }
        result.whenCompleteWithContext(
                (answer, broken) -> served.end(broken == null && answer != null ? answer.getException() : broken));
        return result;
    }

    private static boolean isCrossed(@Nullable Color wanted, @Nullable Color own) {
        return wanted != null && own != null && wanted != own;
    }

    @SuppressWarnings("try") // The scope is only opened and closed.
    private static Result invokeIn(TrafficTag tag, Invoker<?> invoker, Invocation invocation) {
        try (Scope scope = TagContext.with(tag)) {
            return invoker.invoke(invocation);
        }
    }

    /** A call that is being served. */
    private record Served(SluiceDubbo sluice, ObservationSink.Exchange exchange, long start) {
        static Served begin(SluiceDubbo sluice, TrafficTag tag, boolean crossed) {
            sluice.served().begin();
            if (crossed) {
                sluice.served().cross();
            }
            return new Served(sluice, sluice.observations().begin(tag), System.nanoTime());
        }

        /** An exception that the method declares is an answer; any other is a failure. */
        void end(@Nullable Throwable thrown) {
            boolean failed = thrown instanceof RuntimeException || thrown instanceof Error;
            exchange.end(System.nanoTime() - start, failed);
            sluice.served().end();
        }
    }
}
