package io.sluice.dubbo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.core.decision.Percent;
import io.sluice.core.observation.ObservationSink;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.Flow;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.tag.Color;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.metadata.MetadataInfo;
import org.apache.dubbo.registry.client.AbstractServiceDiscovery;
import org.apache.dubbo.registry.client.DefaultServiceInstance;
import org.apache.dubbo.registry.client.ServiceInstance;
import org.apache.dubbo.registry.client.event.ServiceInstancesChangedEvent;
import org.apache.dubbo.registry.client.event.listener.ServiceInstancesChangedListener;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A registry that is away at the worst moment, which no real one can be told to be: this one does as Dubbo's Nacos registry and
 * Nacos's client do together.
 */
@Requirement({"F2", "F3"})
class ChannelDiscoveryTest {
    private final ApplicationModel application = FrameworkModel.defaultModel().newApplication();
    private final InMemoryRuleSource rules = new InMemoryRuleSource();
    private final SluiceDubbo sluice = SluiceDubbo.install(
            application,
            rules,
            new Self("order", "stable", Color.BLUE, "order@127.0.0.1:20880"),
            ObservationSink.discarding());
    private final Redoing registry = new Redoing();
    private final ChannelDiscovery discovery = new ChannelDiscovery(registry, application, sluice);
    private long revision;

    @BeforeEach
    void open() {
        say(null);
    }

    @AfterEach
    void destroy() {
        sluice.close();
        application.destroy();
    }

    @Test
    void aSideThatIsClosedAgainBeforeTheRegistryIsBackIsNotInIt() {
        discovery.register();
        say(Color.BLUE);
        discovery.update();
        registry.away = true;
        say(null);
        look();
        say(Color.BLUE);
        look();

        registry.back();
        assertThat(registry.listed).isNotNull();
        discovery.update();

        assertThat(registry.listed).isNull();
        assertThat(discovery.isRegistered()).isFalse();
    }

    @Test
    void aSideThatCouldNotRegisterAtFirstAndIsClosedIsNotInIt() {
        registry.away = true;
        assertThatThrownBy(discovery::register).hasMessage("away");
        say(Color.BLUE);
        look();

        registry.back();
        discovery.update();

        assertThat(registry.listed).isNull();
        assertThat(discovery.isRegistered()).isFalse();
    }

    @Test
    void aSideThatCouldNotRegisterAtFirstIsInItLater() {
        registry.away = true;
        assertThatThrownBy(discovery::register).hasMessage("away");
        registry.wanted = null; // Other registries' clients forget what they could not write.

        registry.back();
        discovery.update();

        assertThat(registry.listed).isNotNull();
        assertThat(registry.listed.getMetadata()).containsKey("dubbo.metadata.revision");
        assertThat(discovery.isRegistered()).isTrue();
    }

    @Test
    void aSideThatIsOpenedBeforeItCouldLeaveIsInIt() {
        discovery.register();
        registry.away = true;
        say(Color.BLUE);
        look();
        say(null);
        look();

        registry.back();
        discovery.update();

        assertThat(registry.listed).isNotNull();
        assertThat(discovery.isRegistered()).isTrue();
    }

    @Test
    void aSideThatCouldNotLeaveIsRegisteredUntilItIsGone() {
        discovery.register();
        registry.away = true;
        say(Color.BLUE);
        look();
        discovery.update();
        assertThat(discovery.isRegistered()).isTrue();

        registry.back();
        discovery.update();

        assertThat(registry.listed).isNull();
        assertThat(discovery.isRegistered()).isFalse();
    }

    @Test
    void aClosedSideThatTurnsUpAgainIsTakenOut() {
        discovery.register();
        ServiceInstance registered = registry.listed;
        say(Color.BLUE);
        discovery.update();
        assertThat(registry.listed).isNull();

        registry.listed = registered;
        for (int i = 0; i < 8; i++) {
            discovery.update();
        }

        assertThat(registry.listed).isNull();
        assertThat(registry.known).isNull();
    }

    @Test
    void whoComesWhileTheOthersAreCountedIsCounted() {
        discovery.register();
        registry.others = List.of(instance(20881, "green"));
        registry.duringNextReading = () -> {
            registry.others = List.of();
            registry.tell();
        };
        registry.tell();

        await().until(() -> registry.readings.get() == 2);
        await().untilAsserted(() -> assertThat(weight()).isEqualTo("100"));
    }

    private String weight() {
        ServiceInstance listed = registry.listed;
        return listed == null ? "" : listed.getMetadata().get("weight");
    }

    private static DefaultServiceInstance instance(int port, String color) {
        DefaultServiceInstance created =
                new DefaultServiceInstance("order", "127.0.0.1", port, ApplicationModel.defaultModel());
        created.getMetadata().putAll(Map.of("color", color, "weight", "100"));
        return created;
    }

    /** As Dubbo does each second, whatever comes of it; new rules are followed on another thread as well. */
    private void look() {
        try {
            discovery.update();
        } catch (IllegalStateException away) {
            assertThat(away).hasMessage("away");
        }
    }

    private void say(@Nullable Color closed) {
        Flow flow = new Flow(
                "trade-2026-11",
                "v2",
                Color.BLUE,
                Percent.of(0),
                closed,
                ++revision,
                Duration.ofSeconds(1),
                Duration.ofSeconds(30));
        rules.offer(
                RuleSet.of(1, revision, List.of(), List.of(new Channel("trade", List.of("order"), flow, Set.of()))));
    }

    private static final class Redoing extends AbstractServiceDiscovery {
        private boolean away;
        private @Nullable ServiceInstance known; // by Dubbo
        private @Nullable ServiceInstance wanted; // by Nacos's client
        private volatile @Nullable ServiceInstance listed; // by Nacos
        private volatile List<ServiceInstance> others = List.of();
        private volatile @Nullable Runnable duringNextReading;
        private final AtomicInteger readings = new AtomicInteger();
        private final List<ServiceInstancesChangedListener> listeners = new CopyOnWriteArrayList<>();

        Redoing() {
            super("order", URL.valueOf("nacos://127.0.0.1:1"));
        }

        /** The server is back, and the client gives it what it wants. */
        void back() {
            away = false;
            listed = wanted;
        }

        @Override
        protected ServiceInstance createServiceInstance(MetadataInfo metadata) {
            DefaultServiceInstance created = instance(20880, "blue");
            created.setServiceMetadata(metadata);
            return created;
        }

        @Override
        protected void doRegister(ServiceInstance instance) {
            wanted = instance;
            send();
            known = instance;
        }

        @Override
        protected void doUpdate(ServiceInstance registered, ServiceInstance newer) {
            serviceInstance = newer;
            if (known == null) {
                throw new IllegalArgumentException("has not been registered");
            }
            known = newer;
            wanted = newer;
            send();
        }

        @Override
        protected void doUnregister(ServiceInstance instance) {
            if (known != null) {
                known = null;
                wanted = null;
                send();
            }
        }

        private void send() {
            if (away) {
                throw new IllegalStateException("away");
            }
            listed = wanted;
        }

        @Override
        public List<ServiceInstance> getInstances(String service) {
            List<ServiceInstance> all = all();
            readings.incrementAndGet();
            Runnable meanwhile = duringNextReading;
            duringNextReading = null;
            if (meanwhile != null) {
                meanwhile.run();
            }
            return all;
        }

        private List<ServiceInstance> all() {
            ServiceInstance own = listed;
            return Stream.concat(Stream.ofNullable(own), others.stream()).toList();
        }

        /** Of what is registered now, to whoever listens. */
        void tell() {
            ServiceInstancesChangedEvent event = new ServiceInstancesChangedEvent("order", all());
            listeners.forEach(each -> each.onEvent(event));
        }

        @Override
        public void addServiceInstancesChangedListener(ServiceInstancesChangedListener listener) {
            listeners.add(listener);
        }

        @Override
        public Set<String> getServices() {
            return Set.of("order");
        }

        @Override
        protected void doDestroy() {}
    }
}
