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
import org.apache.dubbo.registry.client.metadata.ServiceInstanceMetadataUtils;
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
    private volatile boolean isCounting;
    private volatile boolean isRegistered;

    // All below are guarded by the registry's own monitor, under which it registers, updates and unregisters.
    private boolean isWanted; // Dubbo has asked for it, and not taken it back.
    private boolean isTakenBack;
    private boolean isOut; // It was registered, and was taken out.
    private boolean isUnsure; // A weight was written without knowing whether it arrived.
    private boolean isEntering; // It was to be registered, without knowing whether it is.
    private boolean isLeaving; // It was to be taken out, without knowing whether it is.
    private boolean isListening;
    private long updates;
    private int looksOut; // So many of them since it was taken out.

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
            lookWhileOut();
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
            isCounting = true;
            ServiceInstance own = registry.getLocalInstance();
            try {
                others = Fleet.of(registry.getInstances(self.service()), own == null ? null : own.getAddress());
            } catch (RuntimeException away) {
                isMiscounted = true;
                throw away;
            } finally {
                isCounting = false;
            }
        }
    }

    private void stayAsItIs() {
        if (registry.getLocalInstance() == null) {
            registry.register();
        }
    }

    /**
     * What could not be written, Nacos's client writes by itself once it can; and Dubbo takes out of Nacos only what it knows
     * to be there, and says nothing otherwise. So what may be registered is registered for certain before it is taken out, and
     * what may still be there is looked for.
     */
    private void leave() {
        if (isEntering) {
            enter();
        }
        ServiceInstance known = registry.getLocalInstance();
        if (!isOut && known != null) {
            boolean isAgain = isLeaving;
            isLeaving = true;
            registry.unregister();
            if (isAgain && isListed(known)) {
                return;
            }
            isLeaving = false;
            isOut = true;
            looksOut = 0;
        }
        isRegistered = false;
    }

    /** Dubbo writes what it calls a revision once only, and takes the next try for done when the first has failed. */
    private void enterFirst() {
        String tried = registry.getLocalMetadata().getRevision();
        registry.register();
        ServiceInstance known = registry.getLocalInstance();
        if (known != null
                && tried != null
                && tried.equals(registry.getLocalMetadata().getRevision())) {
            known.getMetadata().put(ServiceInstanceMetadataUtils.EXPORTED_SERVICES_REVISION_PROPERTY_NAME, tried);
            rewriting.register(known);
        }
    }

    /** A request of Nacos's client that was under way when it was taken out may have put it back. */
    private void lookWhileOut() {
        ServiceInstance known = registry.getLocalInstance();
        if (isOut && known != null && ++looksOut % COUNTED_ANEW_EVERY == 0 && isListed(known)) {
            isEntering = true;
        }
    }

    private boolean isListed(ServiceInstance known) {
        return registry.getInstances(self.service()).stream()
                .anyMatch(each -> each.getAddress().equals(known.getAddress()));
    }

    /** Registers it as it is known, or for the first time. */
    private void enter() {
        isEntering = true;
        ServiceInstance known = registry.getLocalInstance();
        if (known == null) {
            enterFirst();
        } else {
            rewriting.register(known);
        }
        isEntering = false;
        isLeaving = false;
        isOut = false;
    }

    private void stand(int weight) {
        ServiceInstance known = registry.getLocalInstance();
        if (known == null) {
            // Nothing is registered before the application has a service: there may be no instance after this either.
            sluice.weight(weight);
            enter();
            isRegistered = registry.getLocalInstance() != null;
            return;
        }
        if (isOut || isLeaving || isEntering) {
            enter();
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
            // What is being counted may be older than the event, and then differs from it only once it is done.
            if (isCounting
                    || !Fleet.of(event.getServiceInstances(), own == null ? null : own.getAddress())
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
