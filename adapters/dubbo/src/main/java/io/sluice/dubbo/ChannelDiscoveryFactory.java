package io.sluice.dubbo;

import io.sluice.core.problem.RefusedException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.registry.client.AbstractServiceDiscovery;
import org.apache.dubbo.registry.client.ServiceDiscovery;
import org.apache.dubbo.registry.client.ServiceDiscoveryFactory;
import org.apache.dubbo.rpc.model.ApplicationModel;

/** Puts a {@link ChannelDiscovery} before each registry of an application that has set up Sluice. Made by Dubbo. */
public final class ChannelDiscoveryFactory implements ServiceDiscoveryFactory {
    private final ServiceDiscoveryFactory factory;
    private final Map<ServiceDiscovery, ServiceDiscovery> made = new ConcurrentHashMap<>();

    public ChannelDiscoveryFactory(ServiceDiscoveryFactory factory) {
        this.factory = factory;
    }

    @Override
    public ServiceDiscovery getServiceDiscovery(URL registryUrl) {
        ServiceDiscovery registry = factory.getServiceDiscovery(registryUrl);
        ApplicationModel application = registryUrl.getOrDefaultApplicationModel();
        SluiceDubbo sluice = Slot.of(application).get();
        if (sluice == null || !(registry instanceof AbstractServiceDiscovery one)) {
            return registry;
        }
        String name = application.getApplicationName();
        if (!sluice.self().service().equals(name)) {
            throw new RefusedException(
                    "self.service", sluice.self().service(), "must be the name of the Dubbo application, " + name);
        }
        return made.computeIfAbsent(one, first -> new ChannelDiscovery(one, application, sluice));
    }
}
