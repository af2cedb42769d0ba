package io.sluice.spring.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.tag.Color;
import io.sluice.spring.InstanceName;
import io.sluice.spring.SluiceAutoConfiguration;
import io.sluice.spring.TestChannels;
import io.sluice.spring.report.Presence;
import io.sluice.testing.Requirement;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cloud.client.serviceregistry.Registration;
import org.springframework.cloud.client.serviceregistry.ServiceRegistry;

/** With a registry that has no more than the interface that all of Spring Cloud's have. */
@Requirement("F3")
class RegistrationsTest {
    private static final Registration BLUE_ORDER = new Here();

    private final InMemoryRuleSource rules = new InMemoryRuleSource();
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(SluiceAutoConfiguration.class, SluiceRegistryAutoConfiguration.class))
            .withPropertyValues("spring.application.name=order", "sluice.color=blue")
            .withBean(RuleSource.class, () -> rules)
            .withBean(Registry.class);
    private long revision = 1;

    @Test
    void anInstanceLeavesWhileItsSideIsClosedAndComesBackEachTime() {
        application.run(context -> {
            Registry registry = context.getBean(Registry.class);
            Presence presence = context.getBean(Presence.class);
            AtomicInteger changes = new AtomicInteger();
            presence.onChange(changes::incrementAndGet);
            registry.register(BLUE_ORDER);
            assertThat(presence.isRegistered()).isTrue();

            for (int i = 0; i < 5; i++) {
                rules.offer(TestChannels.trade(revision++, 0, Color.BLUE));
                await().until(() -> !presence.isRegistered());
                assertThat(registry.there()).isEmpty();

                rules.offer(TestChannels.trade(revision++, 0));
                await().until(presence::isRegistered);
                assertThat(registry.there()).containsExactly(BLUE_ORDER);
            }
            // Who listens is told after presence says so.
            settle(context.getBean(Registrations.class));
            assertThat(changes).hasValue(11);
            assertThat(rules.failedListeners()).isZero();
        });
    }

    @Test
    void theOtherSideAndADrainedOneStay() {
        application.run(context -> {
            Registry registry = context.getBean(Registry.class);
            registry.register(BLUE_ORDER);

            rules.offer(TestChannels.trade(1, 0));
            rules.offer(TestChannels.trade(2, 100, Color.GREEN));
            settle(context.getBean(Registrations.class));

            assertThat(registry.calls()).containsExactly("register");
        });
    }

    @Test
    void anInstanceThatStartsWhileItsSideIsClosedIsRegisteredAfterwards() {
        rules.offer(TestChannels.trade(revision++, 0, Color.BLUE));
        application.run(context -> {
            Registry registry = context.getBean(Registry.class);
            registry.register(BLUE_ORDER);
            settle(context.getBean(Registrations.class));
            assertThat(registry.calls()).isEmpty();
            assertThat(context.getBean(Presence.class).isRegistered()).isFalse();

            rules.offer(TestChannels.trade(revision++, 0));

            await().until(() -> registry.there().contains(BLUE_ORDER));
        });
    }

    @Test
    void aRollingReleaseTakesAnInstanceOutByItsName() {
        application.run(context -> {
            Registry registry = context.getBean(Registry.class);
            registry.register(BLUE_ORDER);

            rules.offer(TestChannels.resting(
                    revision++, context.getBean(InstanceName.class).current()));
            await().until(() -> registry.there().isEmpty());
            rules.offer(TestChannels.resting(revision++, "order@somebody.else:1"));

            await().until(() -> registry.there().contains(BLUE_ORDER));
        });
    }

    @Test
    void aRegistryThatFailsIsAskedAgainAndNoListenerHearsOfIt() {
        application.run(context -> {
            Registry registry = context.getBean(Registry.class);
            Presence presence = context.getBean(Presence.class);
            List<Boolean> registeredAtFailures = new CopyOnWriteArrayList<>();
            AtomicInteger changes = new AtomicInteger();
            registry.register(BLUE_ORDER);
            presence.onChange(changes::incrementAndGet);
            registry.onFailure(() -> registeredAtFailures.add(presence.isRegistered()));
            registry.failing().set(2);
            rules.offer(TestChannels.trade(revision++, 0, Color.BLUE));

            await().until(() -> !presence.isRegistered());
            assertThat(registeredAtFailures).containsExactly(true, true);
            assertThat(registry.there()).isEmpty();
            settle(context.getBean(Registrations.class));
            assertThat(changes).hasValue(1);
            assertThat(rules.failedListeners()).isZero();
        });
    }

    @Test
    void whatTheApplicationTakesOutStaysOut() {
        application.run(context -> {
            Registry registry = context.getBean(Registry.class);
            registry.register(BLUE_ORDER);
            rules.offer(TestChannels.trade(revision++, 0, Color.BLUE));
            await().until(() -> registry.there().isEmpty());

            registry.deregister(BLUE_ORDER);
            rules.offer(TestChannels.trade(revision++, 0));
            settle(context.getBean(Registrations.class));

            assertThat(registry.calls()).containsExactly("register", "deregister");
            assertThat(context.getBean(Presence.class).isRegistered()).isFalse();
        });
    }

    @Test
    void aRegistrationThatFailsAtTheStartIsTheApplicationsToHear() {
        application.run(context -> {
            Registry registry = context.getBean(Registry.class);
            registry.failing().set(1);

            assertThatThrownBy(() -> registry.register(BLUE_ORDER)).hasMessage("away");
            assertThat(context.getBean(Presence.class).isRegistered()).isFalse();
        });
    }

    @Test
    void anInstanceThatIsToldToStayStays() {
        rules.offer(TestChannels.trade(1, 0, Color.BLUE));
        application.withPropertyValues("sluice.deregister=false").run(context -> {
            context.getBean(Registry.class).register(BLUE_ORDER);

            assertThat(context.getBean(Presence.class).isRegistered()).isTrue();
        });
    }

    @Test
    void withoutARegistryWhoeverKnowsItsAddressFindsIt() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(SluiceAutoConfiguration.class, SluiceRegistryAutoConfiguration.class))
                .withPropertyValues("spring.application.name=order")
                .run(context -> assertThat(context.getBean(Presence.class).isRegistered())
                        .isTrue());
    }

    @Test
    void questionsOfAStatusGoThrough() {
        application.run(context -> {
            Registry registry = context.getBean(Registry.class);
            registry.setStatus(BLUE_ORDER, "DOWN");

            assertThat(registry.<String>getStatus(BLUE_ORDER)).isEqualTo("DOWN");
        });
    }

    /** Waits until all that rules have asked for is done. */
    private static void settle(Registrations registrations) {
        registrations.afterSettling().join();
    }

    /** A registry like those of Spring Cloud: a class that applications ask for by name. */
    static class Registry implements ServiceRegistry<Registration> {
        private final Set<Registration> there = ConcurrentHashMap.newKeySet();
        private final List<String> calls = new CopyOnWriteArrayList<>();
        private final Map<Registration, String> statuses = new ConcurrentHashMap<>();
        private final AtomicInteger failing = new AtomicInteger();
        private volatile Runnable onFailure = () -> {};

        Set<Registration> there() {
            return there;
        }

        List<String> calls() {
            return calls;
        }

        AtomicInteger failing() {
            return failing;
        }

        /** Is called before each failure. */
        void onFailure(Runnable called) {
            onFailure = called;
        }

        @Override
        public void register(Registration registration) {
            note("register");
            there.add(registration);
        }

        @Override
        public void deregister(Registration registration) {
            note("deregister");
            there.remove(registration);
        }

        private void note(String call) {
            if (failing.get() > 0) {
                failing.decrementAndGet();
                onFailure.run();
                throw new IllegalStateException("away");
            }
            calls.add(call);
        }

        @Override
        public void close() {}

        @Override
        public void setStatus(Registration registration, String status) {
            statuses.put(registration, status);
        }

        @Override
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // As the interface has it.
        public <T> T getStatus(Registration registration) {
            return (T) statuses.get(registration);
        }
    }

    private static final class Here implements Registration {
        @Override
        public String getServiceId() {
            return "order";
        }

        @Override
        public String getHost() {
            return "127.0.0.1";
        }

        @Override
        public int getPort() {
            return 8081;
        }

        @Override
        public boolean isSecure() {
            return false;
        }

        @Override
        public URI getUri() {
            return URI.create("http://127.0.0.1:8081");
        }

        @Override
        public Map<String, String> getMetadata() {
            return Map.of();
        }
    }
}
