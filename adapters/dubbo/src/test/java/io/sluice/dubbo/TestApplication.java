package io.sluice.dubbo;

import io.sluice.core.observation.ObservationSink;
import io.sluice.core.rule.RuleSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.registry.client.migration.MigrationInvoker;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.cluster.ClusterInvoker;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.ConsumerModel;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** A real Dubbo application, one of several in its process. */
final class TestApplication {
    private final ApplicationModel model = FrameworkModel.defaultModel().newApplication();
    private final DubboBootstrap bootstrap = DubboBootstrap.getInstance(model);
    private final Map<String, ReferenceConfig<Hop>> references = new HashMap<>();
    private final int port = freePort();

    TestApplication(String name, String registry, String protocol, String registryDelay) {
        ApplicationConfig application = new ApplicationConfig(name);
        application.setRegisterMode("instance");
        application.setQosEnable(false);
        application.setLogger("slf4j");
        RegistryConfig registered = new RegistryConfig(registry);
        registered.setUseAsConfigCenter(false);
        registered.setUseAsMetadataCenter(false);
        if (!registryDelay.isEmpty()) {
            registered.setParameters(Map.of(CommonConstants.REGISTRY_DELAY_NOTIFICATION_KEY, registryDelay));
        }
        bootstrap.application(application).registry(registered).protocol(new ProtocolConfig(protocol, port));
    }

    int port() {
        return port;
    }

    SluiceDubbo install(RuleSource rules, Self self) {
        return SluiceDubbo.install(model, rules, self, ObservationSink.discarding());
    }

    TestApplication refer(String service) {
        ReferenceConfig<Hop> reference = new ReferenceConfig<>();
        reference.setInterface(Hop.class);
        reference.setGroup(service);
        reference.setProvidedBy(service);
        reference.setScope("remote");
        reference.setCheck(false);
        reference.setTimeout(20_000);
        references.put(service, reference);
        bootstrap.reference(reference);
        return this;
    }

    TestApplication serve(String group, Hop hop) {
        ServiceConfig<Hop> service = new ServiceConfig<>();
        service.setInterface(Hop.class);
        service.setGroup(group);
        service.setScope("remote");
        service.setRef(hop);
        bootstrap.service(service);
        return this;
    }

    void start() {
        bootstrap.start();
    }

    Hop of(String service) {
        return references.get(service).get();
    }

    /** What this caller knows of the providers of each service that it calls. */
    Stream<SortedMap<String, String>> known() {
        return references.keySet().stream().map(this::known);
    }

    /** What this caller knows of the providers: their weights by color, each in ascending order. */
    SortedMap<String, String> known(String service) {
        Map<String, List<Integer>> weights = providers(service).stream()
                .map(Invoker::getUrl)
                .collect(Collectors.groupingBy(
                        url -> url.getParameter("color", "none"),
                        TreeMap::new,
                        Collectors.mapping(url -> url.getMethodParameter("visit", "weight", -1), Collectors.toList())));
        SortedMap<String, String> known = new TreeMap<>();
        weights.forEach((color, each) ->
                known.put(color, each.stream().sorted().map(String::valueOf).collect(Collectors.joining(","))));
        return known;
    }

    private List<? extends Invoker<?>> providers(String service) {
        for (ConsumerModel consumer : model.getApplicationServiceRepository().allConsumerModels()) {
            if (consumer.getServiceKey().startsWith(service + "/")
                    && consumer.getServiceMetadata().getAttribute(CommonConstants.CURRENT_CLUSTER_INVOKER_KEY)
                            instanceof Map<?, ?> invokers) {
                for (Object each : invokers.values()) {
                    ClusterInvoker<?> invoker = ((MigrationInvoker<?>) each).getServiceDiscoveryInvoker();
                    if (invoker == null) {
                        return List.of();
                    }
                    // As a call does: an address says nothing of a service before it knows for whom.
                    RpcContext.getServiceContext()
                            .setConsumerUrl(invoker.getDirectory().getConsumerUrl());
                    return invoker.getDirectory().getAllInvokers();
                }
            }
        }
        return List.of();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException none) {
            throw new IllegalStateException(none);
        }
    }
}
