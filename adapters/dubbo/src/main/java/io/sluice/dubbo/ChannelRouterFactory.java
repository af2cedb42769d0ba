package io.sluice.dubbo;

import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.cluster.router.state.CacheableStateRouterFactory;
import org.apache.dubbo.rpc.cluster.router.state.StateRouter;

/** Makes the routers of references. Made by Dubbo. */
@Activate(order = 10)
public final class ChannelRouterFactory extends CacheableStateRouterFactory {
    @Override
    protected <T> StateRouter<T> createRouter(Class<T> interfaceClass, URL url) {
        return new ChannelRouter<>(url);
    }
}
