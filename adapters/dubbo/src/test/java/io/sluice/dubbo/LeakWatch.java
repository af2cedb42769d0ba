package io.sluice.dubbo;

import io.sluice.core.propagation.TagContext;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;

/** Stands outside the filter under test, and counts calls that find a tag on their thread or leave one there. */
@Activate(group = CommonConstants.PROVIDER, order = -100_001)
public final class LeakWatch implements Filter {
    static final AtomicLong LEAKS = new AtomicLong();

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) {
        check();
        try {
            return invoker.invoke(invocation);
        } finally {
            check();
        }
    }

    static void check() {
        if (!TagContext.current().isEmpty()) {
            LEAKS.incrementAndGet();
        }
    }
}
