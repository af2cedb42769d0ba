package io.sluice.dubbo;

import org.apache.dubbo.common.extension.Wrapper;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.cluster.Cluster;
import org.apache.dubbo.rpc.cluster.ClusterInvoker;
import org.apache.dubbo.rpc.cluster.Directory;
import org.apache.dubbo.rpc.cluster.directory.AbstractDirectory;

/**
 * Puts a {@link SteadyInvoker} before the providers that a caller with Sluice finds by their applications. Outside of all of
 * Dubbo's own wrappers, some of which ask the list of providers by themselves. Made by Dubbo.
 */
@Wrapper(order = Integer.MIN_VALUE)
public final class SteadyCluster implements Cluster {
    private final Cluster cluster;

    public SteadyCluster(Cluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public <T> Invoker<T> join(Directory<T> directory, boolean buildFilterChain) {
        Invoker<T> joined = cluster.join(directory, buildFilterChain);
        return directory.isServiceDiscovery()
                        && directory instanceof AbstractDirectory<T> providers
                        && joined instanceof ClusterInvoker<T> invoker
                        && Slot.of(directory.getConsumerUrl().getOrDefaultApplicationModel())
                                        .get()
                                != null
                ? new SteadyInvoker<>(invoker, providers)
                : joined;
    }
}
