package io.sluice.dubbo;

import java.util.List;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.cluster.ClusterInvoker;
import org.apache.dubbo.rpc.cluster.Directory;
import org.apache.dubbo.rpc.cluster.directory.AbstractDirectory;

/**
 * Providers of which one is available when one is at any moment. Each new weight makes Dubbo put a new connection object in the
 * place of the old one, which it destroys. Who looks through the list from before the change then finds nobody, and Dubbo, which
 * looks before each call, sends the call to providers that are registered by interface: there are none, and the call fails.
 */
final class SteadyInvoker<T> implements ClusterInvoker<T> {
    private final ClusterInvoker<T> invoker;
    private final AbstractDirectory<T> providers;

    SteadyInvoker(ClusterInvoker<T> invoker, AbstractDirectory<T> providers) {
        this.invoker = invoker;
        this.providers = providers;
    }

    /** No only when the list stayed the same while it was looked through. */
    @Override
    public boolean isAvailable() {
        if (invoker.isAvailable()) {
            return true;
        }
        List<Invoker<T>> before;
        do {
            before = providers.getValidInvokers();
            if (invoker.isAvailable()) {
                return true;
            }
        } while (!before.equals(providers.getValidInvokers()));
        return false;
    }

    @Override
    public Result invoke(Invocation invocation) {
        return invoker.invoke(invocation);
    }

    @Override
    public Class<T> getInterface() {
        return invoker.getInterface();
    }

    @Override
    public URL getUrl() {
        return invoker.getUrl();
    }

    @Override
    public URL getRegistryUrl() {
        return invoker.getRegistryUrl();
    }

    @Override
    public Directory<T> getDirectory() {
        return invoker.getDirectory();
    }

    @Override
    public boolean isServiceDiscovery() {
        return invoker.isServiceDiscovery();
    }

    @Override
    public boolean hasProxyInvokers() {
        return invoker.hasProxyInvokers();
    }

    @Override
    public boolean isDestroyed() {
        return invoker.isDestroyed();
    }

    @Override
    public void destroy() {
        invoker.destroy();
    }

    @Override
    public String toString() {
        return invoker.toString();
    }
}
