package io.sluice.dubbo;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.observation.ObservationSink;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.testing.Requirement;
import java.util.ArrayList;
import java.util.List;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.cluster.Cluster;
import org.apache.dubbo.rpc.cluster.SingleRouterChain;
import org.apache.dubbo.rpc.cluster.directory.AbstractDirectory;
import org.apache.dubbo.rpc.cluster.router.state.BitList;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The moment between two lists of providers, which in a real directory nobody can be told to take. */
@Requirement({"F1", "E7"})
class SteadyInvokerTest {
    private final ApplicationModel application = FrameworkModel.defaultModel().newApplication();

    @AfterEach
    void destroy() {
        application.destroy();
    }

    @Test
    void providersThatAreReplacedWhileTheyAreLookedThroughAreAvailable() {
        install();
        Providers providers = new Providers(application, true);
        providers.hold(2);
        providers.replaceAllDuringLooks(1);

        assertThat(joined(providers).isAvailable()).isTrue();
    }

    @Test
    void andThoseThatAreReplacedTwice() {
        install();
        Providers providers = new Providers(application, true);
        providers.hold(2);
        providers.replaceAllDuringLooks(2);

        assertThat(joined(providers).isAvailable()).isTrue();
    }

    @Test
    void providersThatHaveGoneAreNot() {
        install();
        Providers providers = new Providers(application, true);
        providers.hold(2);
        providers.held.forEach(Invoker::destroy);

        assertThat(joined(providers).isAvailable()).isFalse();
    }

    @Test
    void anApplicationWithoutSluiceHasDubbosOwnAnswer() {
        Providers providers = new Providers(application, true);
        providers.hold(2);
        providers.replaceAllDuringLooks(1);

        assertThat(joined(providers).isAvailable()).isFalse();
    }

    @Test
    void providersThatAreFoundByInterfaceHaveDubbosOwnAnswer() {
        install();
        Providers providers = new Providers(application, false);
        providers.hold(2);
        providers.replaceAllDuringLooks(1);

        assertThat(joined(providers).isAvailable()).isFalse();
    }

    private void install() {
        var unused = SluiceDubbo.install(
                application,
                new InMemoryRuleSource(),
                new Self("a", "stable", null, "a@127.0.0.1:1"),
                ObservationSink.discarding());
    }

    /** As Dubbo joins them, inside of all of its wrappers. */
    private Invoker<Hop> joined(Providers providers) {
        return application
                .getExtensionLoader(Cluster.class)
                .getExtension("failover")
                .join(providers, false);
    }

    /** Looks through its list as Dubbo's directories do. */
    private static final class Providers extends AbstractDirectory<Hop> {
        private final boolean isOfApplications;
        private List<Invoker<Hop>> held = List.of();
        private int replacements;

        Providers(ApplicationModel application, boolean isOfApplications) {
            super(URL.valueOf("consumer://127.0.0.1/" + Hop.class.getName()).setScopeModel(application.newModule()));
            setConsumerUrl(getUrl().addParameter("interface", Hop.class.getName()));
            this.isOfApplications = isOfApplications;
        }

        void hold(int number) {
            List<Invoker<Hop>> fresh = new ArrayList<>();
            for (int i = 0; i < number; i++) {
                fresh.add(new Provider(getUrl()));
            }
            held = fresh;
            setInvokers(new BitList<>(fresh));
        }

        void replaceAllDuringLooks(int times) {
            replacements = times;
        }

        @Override
        public boolean isAvailable() {
            List<Invoker<Hop>> seen = getValidInvokers();
            if (replacements > 0) {
                replacements--;
                List<Invoker<Hop>> old = held;
                hold(old.size());
                old.forEach(Invoker::destroy);
            }
            return seen.stream().anyMatch(Invoker::isAvailable);
        }

        @Override
        public boolean isServiceDiscovery() {
            return isOfApplications;
        }

        @Override
        public Class<Hop> getInterface() {
            return Hop.class;
        }

        @Override
        public List<Invoker<Hop>> getAllInvokers() {
            return held;
        }

        @Override
        protected List<Invoker<Hop>> doList(
                SingleRouterChain<Hop> chain, BitList<Invoker<Hop>> invokers, Invocation invocation) {
            return invokers;
        }
    }

    private static final class Provider implements Invoker<Hop> {
        private final URL url;
        private boolean isDestroyed;

        Provider(URL url) {
            this.url = url;
        }

        @Override
        public Class<Hop> getInterface() {
            return Hop.class;
        }

        @Override
        public Result invoke(Invocation invocation) {
            throw new AssertionError("nobody calls");
        }

        @Override
        public URL getUrl() {
            return url;
        }

        @Override
        public boolean isAvailable() {
            return !isDestroyed;
        }

        @Override
        public void destroy() {
            isDestroyed = true;
        }
    }
}
