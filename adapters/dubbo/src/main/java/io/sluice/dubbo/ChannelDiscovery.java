package io.sluice.dubbo;

import io.sluice.core.routing.ColorWeights;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.Flow;
import io.sluice.core.tag.Color;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.common.threadpool.manager.FrameworkExecutorRepository;
import org.apache.dubbo.metadata.MetadataInfo;
import org.apache.dubbo.registry.NotifyListener;
import org.apache.dubbo.registry.client.AbstractServiceDiscovery;
import org.apache.dubbo.registry.client.DefaultServiceInstance;
import org.apache.dubbo.registry.client.ServiceDiscovery;
import org.apache.dubbo.registry.client.ServiceInstance;
import org.apache.dubbo.registry.client.event.ServiceInstancesChangedEvent;
import org.apache.dubbo.registry.client.event.listener.ServiceInstancesChangedListener;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * One registry, in which this instance stands as the rules say: under the weight of its color, and not at all while it is
 * closed. So callers send each color its share whether they know of Sluice or not.
 *
 * <p>New rules are followed at once, and anything that failed is tried again each second, whenever Dubbo looks after the
 * registration itself. How many instances each color has is counted when the registry
 * tells of a change.
 */
final class ChannelDiscovery implements ServiceDiscovery {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelDiscovery.class);

    /** So many of Dubbo's looks at the registration, one a second: for a push that was lost or came out of order. */
    private static final int COUNTED_ANEW_EVERY = 8;

    private final AbstractServiceDiscovery registry;
    private final Rewriting rewriting;
    private final SluiceDubbo sluice;
    private final Self self;
    private final Executor executor;
    private volatile Fleet others = Fleet.NONE;
    private volatile boolean isMiscounted;
    private volatile boolean isRegistered;

    // All below are guarded by the registry's own monitor, under which it registers, updates and unregisters.
    private boolean isWanted; // Dubbo has asked for it, and not taken it back.
    private boolean isTakenBack;
    private boolean isOut; // It was registered, and was taken out.
    private boolean isUnsure; // A weight was written without knowing whether it arrived.
    private boolean isListening;
    private long updates;

    ChannelDiscovery(AbstractServiceDiscovery registry, ApplicationModel application, SluiceDubbo sluice) {
        this.registry = registry;
        this.rewriting = new Rewriting(registry);
        this.sluice = sluice;
        this.self = sluice.self();
        this.executor = application
                .getFrameworkModel()
                .getBeanFactory()
                .getBean(FrameworkExecutorRepository.class)
                .getSharedExecutor();
    }

    boolean isRegistered() {
        return isRegistered;
    }

    /** Does what the newest rules say, on another thread. */
    void followSoon() {
        executor.execute(() -> {
            try {
                follow();
            } catch (RuntimeException away) {
                LOG.warn("The registration of " + self.instance() + " does not follow the rules yet.", away);
            }
        });
    }

    @Override
    public void register() {
        synchronized (registry) {
            isTakenBack = false;
            want();
            follow();
        }
    }

    /** Dubbo calls it each second, too, and may once more when it has taken the instance back. */
    @Override
    public void update() {
        synchronized (registry) {
            if (isTakenBack) {
                return;
            }
            want();
            if (++updates % COUNTED_ANEW_EVERY == 0 && isListening) {
                isMiscounted = true;
            }
            follow();
            if (!isOut && (isRegistered || sluice.isClosed())) {
                registry.update();
            }
        }
    }

    @Override
    public void unregister() {
        synchronized (registry) {
            isTakenBack = true;
            isWanted = false;
            isRegistered = false;
            if (!isOut) {
                registry.unregister();
                isOut = registry.getLocalInstance() != null;
            }
        }
    }

    private void want() {
        if (!isWanted) {
            isWanted = true;
            sluice.registersIn(this);
        }
        if (!isListening && self.color() != null) {
            registry.addServiceInstancesChangedListener(new Counting());
            isListening = true;
        }
    }

    private void follow() {
        synchronized (registry) {
            if (!isWanted || registry.isDestroy()) {
                return;
            }
            if (sluice.isClosed()) {
                stayAsItIs();
            } else if (isClosed()) {
                leave();
            } else {
                count();
                stand(weight());
            }
        }
    }

    private void count() {
        if (isMiscounted) {
            isMiscounted = false; // Before reading: what is told meanwhile is read next time.
            ServiceInstance own = registry.getLocalInstance();
            try {
                others = Fleet.of(registry.getInstances(self.service()), own == null ? null : own.getAddress());
            } catch (RuntimeException away) {
                isMiscounted = true;
                throw away;
            }
        }
    }

    private void stayAsItIs() {
        if (registry.getLocalInstance() == null) {
            registry.register();
        }
    }

    private void leave() {
        if (!isOut && registry.getLocalInstance() != null) {
            registry.unregister();
            isOut = true;
        }
        isRegistered = false;
    }

    private void stand(int weight) {
        ServiceInstance known = registry.getLocalInstance();
        if (known == null) {
            // Nothing is registered before the application has a service: there may be no instance after this either.
            sluice.weight(weight);
            registry.register();
            isRegistered = registry.getLocalInstance() != null;
            return;
        }
        if (isOut) {
            rewriting.register(known);
            isOut = false;
        }
        String written = known.getMetadata().get(InstanceMetadata.WEIGHT);
        if (isUnsure || !String.valueOf(weight).equals(written)) {
            DefaultServiceInstance newer = new DefaultServiceInstance((DefaultServiceInstance) known);
            newer.getMetadata().put(InstanceMetadata.WEIGHT, String.valueOf(weight));
            isUnsure = true;
            rewriting.update(known, newer);
            isUnsure = false;
        }
        isRegistered = true;
    }

    private @Nullable Channel channel() {
        return sluice.rules().channelOf(self.service());
    }

    private boolean isClosed() {
        Channel channel = channel();
        return channel != null && channel.isClosed(self.color(), self.instance());
    }

    /** As core plans it for this color; the usual weight where there is nothing to plan. */
    private int weight() {
        Channel channel = channel();
        Flow flow = channel == null ? null : channel.flow();
        Color color = self.color();
        if (flow == null || color == null) {
            return ColorWeights.BASE;
        }
        Fleet fleet = others.with(color);
        ColorWeights weights = ColorWeights.plan(flow.blue(), fleet.blue(), fleet.green());
        return color == Color.BLUE ? weights.blue() : weights.green();
    }

    /** Counts the instances beside this one whenever any come or go. */
    private final class Counting extends ServiceInstancesChangedListener {
        Counting() {
            super(Set.of(self.service()), registry);
        }

        @Override
        public void onEvent(ServiceInstancesChangedEvent event) {
            ServiceInstance own = registry.getLocalInstance();
            if (!Fleet.of(event.getServiceInstances(), own == null ? null : own.getAddress())
                    .equals(others)) {
                // Counted anew when it is followed: Dubbo may deliver an older event after a newer one.
                isMiscounted = true;
                followSoon();
            }
        }

        /** Dubbo keeps listeners in sets, and takes two for the same services as one. */
        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    @Override
    public Set<String> getServices() {
        return registry.getServices();
    }

    @Override
    public List<ServiceInstance> getInstances(String serviceName) {
        return registry.getInstances(serviceName);
    }

    @Override
    public void addServiceInstancesChangedListener(ServiceInstancesChangedListener listener) {
        registry.addServiceInstancesChangedListener(listener);
    }

    @Override
    public void removeServiceInstancesChangedListener(ServiceInstancesChangedListener listener) {
        registry.removeServiceInstancesChangedListener(listener);
    }

    @Override
    public ServiceInstancesChangedListener createListener(Set<String> serviceNames) {
        return registry.createListener(serviceNames);
    }

    @Override
    public ServiceInstance getLocalInstance() {
        return registry.getLocalInstance();
    }

    @Override
    public MetadataInfo getLocalMetadata() {
        return registry.getLocalMetadata();
    }

    @Override
    public MetadataInfo getLocalMetadata(String revision) {
        return registry.getLocalMetadata(revision);
    }

    @Override
    public MetadataInfo getRemoteMetadata(String revision) {
        return registry.getRemoteMetadata(revision);
    }

    @Override
    public MetadataInfo getRemoteMetadata(String revision, List<ServiceInstance> instances) {
        return registry.getRemoteMetadata(revision, instances);
    }

    @Override
    public void destroy() throws Exception {
        registry.destroy();
    }

    @Override
    public boolean isDestroy() {
        return registry.isDestroy();
    }

    @Override
    public URL getUrl() {
        return registry.getUrl();
    }

    @Override
    public long getDelay() {
        return registry.getDelay();
    }

    @Override
    public boolean isAvailable() {
        return registry.isAvailable();
    }

    @Override
    public int getPriority() {
        return registry.getPriority();
    }

    @Override
    public void register(URL url) {
        registry.register(url);
    }

    @Override
    public void unregister(URL url) {
        registry.unregister(url);
    }

    @Override
    public void subscribe(URL url, NotifyListener listener) {
        registry.subscribe(url, listener);
    }

    @Override
    public void unsubscribe(URL url, NotifyListener listener) {
        registry.unsubscribe(url, listener);
    }

    @Override
    public List<URL> lookup(URL url) {
        return registry.lookup(url);
    }

    @Override
    public String toString() {
        return "ChannelDiscovery[" + registry + "]";
    }
}
