package io.sluice.dubbo;

import org.apache.dubbo.common.constants.RegistryConstants;
import org.apache.dubbo.common.deploy.ApplicationDeployListener;
import org.apache.dubbo.common.logger.Logger;
import org.apache.dubbo.common.logger.LoggerFactory;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.registry.client.ServiceDiscovery;
import org.apache.dubbo.registry.support.RegistryManager;
import org.apache.dubbo.rpc.model.ApplicationModel;

/**
 * Says loudly when a provider with a color registers in a way that no drain would reach: each interface by itself as well, which
 * nothing changes later, or a service under a weight of its own, which callers take before that of the instance. Made by Dubbo.
 */
public final class RegistrationCheck implements ApplicationDeployListener {
    private static final Logger LOG = LoggerFactory.getLogger(RegistrationCheck.class);

    @Override
    public void onStarted(ApplicationModel application) {
        SluiceDubbo sluice = Slot.of(application).get();
        if (sluice == null || sluice.self().color() == null) {
            return;
        }
        for (RegistryConfig registry : application.getApplicationConfigManager().getRegistries()) {
            String mode = modeOf(registry, application);
            if (!mode.equalsIgnoreCase(RegistryConstants.DEFAULT_REGISTER_MODE_INSTANCE)) {
                LOG.error(RegistryConstants.DUBBO_REGISTER_MODE_DEFAULT_KEY + " was " + mode
                        + ", but must be instance: no drain reaches callers that find "
                        + sluice.self().instance() + " by its interfaces");
            }
        }
        RegistryManager registries = application.getBeanFactory().getBean(RegistryManager.class);
        for (ServiceDiscovery registry : registries.getServiceDiscoveries()) {
            registry.getLocalMetadata().getServices().values().stream()
                    .filter(service -> service.getParams().containsKey(InstanceMetadata.WEIGHT))
                    .forEach(service -> LOG.error("the weight of " + service.getServiceKey() + " was "
                            + service.getParams().get(InstanceMetadata.WEIGHT)
                            + ", but must not be set: it hides the one that the channel gives"));
        }
    }

    /** As Dubbo finds it: the registry's own, the application's, all. */
    private static String modeOf(RegistryConfig registry, ApplicationModel application) {
        ApplicationConfig config =
                application.getApplicationConfigManager().getApplication().orElse(null);
        if (registry.getRegisterMode() != null) {
            return registry.getRegisterMode();
        }
        return config == null || config.getRegisterMode() == null
                ? RegistryConstants.DEFAULT_REGISTER_MODE_ALL
                : config.getRegisterMode();
    }

    @Override
    public void onInitialize(ApplicationModel application) {}

    @Override
    public void onStarting(ApplicationModel application) {}

    @Override
    public void onStopping(ApplicationModel application) {}

    @Override
    public void onStopped(ApplicationModel application) {}

    @Override
    public void onFailure(ApplicationModel application, Throwable cause) {}
}
