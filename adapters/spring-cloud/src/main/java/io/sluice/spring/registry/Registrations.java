package io.sluice.spring.registry;

import io.sluice.core.rule.Channel;
import io.sluice.core.rule.RuleSource;
import io.sluice.spring.InstanceName;
import io.sluice.spring.SluiceSettings;
import io.sluice.spring.report.Presence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cloud.client.serviceregistry.Registration;
import org.springframework.cloud.client.serviceregistry.ServiceRegistry;

/**
 * What the application wants registered, and what is. While this instance is closed by its channel, nothing of it is in a
 * registry; as soon as it is not, everything is that the application wants there.
 *
 * <p>Registries are slow and fail. So rules only wake a thread of its own, which tries again until it has succeeded; a
 * registration counts as there until the registry has confirmed that it is not.
 */
final class Registrations implements Presence, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Registrations.class);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final RuleSource rules;
    private final SluiceSettings settings;
    private final InstanceName instance;
    private final ScheduledThreadPoolExecutor loop = newLoop();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private RuleSource.Subscription subscription = () -> {};

    // What follows changes under the lock of this object, which is also held while a registry is spoken to: what the
    // application asks of it and what rules ask of it never overtake each other.
    private final List<Wanted> wanted = new ArrayList<>();
    private volatile boolean registered;

    private Registrations(RuleSource rules, SluiceSettings settings, InstanceName instance) {
        this.rules = rules;
        this.settings = settings;
        this.instance = instance;
    }

    static Registrations following(RuleSource rules, SluiceSettings settings, InstanceName instance) {
        Registrations registrations = new Registrations(rules, settings, instance);
        registrations.subscription = rules.subscribe(applied -> registrations.settleAfter(Duration.ZERO));
        return registrations;
    }

    @Override
    public boolean isRegistered() {
        return registered;
    }

    @Override
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** The application wants it registered. */
    synchronized void register(ServiceRegistry<Registration> registry, Registration registration) {
        wanted.removeIf(known -> known.isOf(registry, registration));
        Wanted one = new Wanted(registry, registration);
        if (isClosed()) {
            LOG.info("{} is closed by its channel: it is not registered now", instance.current());
        } else {
            one.register();
        }
        wanted.add(one);
        tellChange();
    }

    /** The application wants it registered no more. */
    synchronized void deregister(ServiceRegistry<Registration> registry, Registration registration) {
        boolean isOut = wanted.stream().anyMatch(known -> known.isOf(registry, registration) && !known.isThere);
        wanted.removeIf(known -> known.isOf(registry, registration));
        tellChange();
        if (!isOut) {
            registry.deregister(registration);
        }
    }

    @Override
    public void close() {
        subscription.close();
        loop.shutdownNow();
    }

    private boolean isClosed() {
        Channel channel = rules.current().channelOf(settings.service());
        return settings.deregister() && channel != null && channel.isClosed(settings.color(), instance.current());
    }

    private void settleAfter(Duration pause) {
        try {
            loop.schedule(this::settle, pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            // The application stops, and takes itself out.
        }
    }

    /** Makes the registries say what the rules say now. */
    private synchronized void settle() {
        boolean closed = isClosed();
        boolean isSettled = true;
        for (Wanted one : wanted) {
            isSettled &= one.isThere != closed || hasSettled(one, closed);
        }
        tellChange();
        if (!isSettled) {
            settleAfter(RETRY_AFTER);
        }
    }

    private boolean hasSettled(Wanted one, boolean closed) {
        try {
            if (closed) {
                one.deregister();
            } else {
                one.register();
            }
            LOG.info("{} has {} its registry", instance.current(), closed ? "left" : "come back to");
            return true;
        } catch (RuntimeException failed) {
            LOG.warn(
                    "{} could not {} its registry; it is tried again",
                    instance.current(),
                    closed ? "leave" : "enter",
                    failed);
            return false;
        }
    }

    private void tellChange() {
        boolean before = registered;
        registered = wanted.stream().anyMatch(one -> one.isThere);
        if (registered != before) {
            listeners.forEach(Runnable::run);
        }
    }

    private static ScheduledThreadPoolExecutor newLoop() {
        ScheduledThreadPoolExecutor loop = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "sluice-registry");
            thread.setDaemon(true);
            return thread;
        });
        loop.setRemoveOnCancelPolicy(true);
        return loop;
    }

    /** A registration, and whether it is in its registry. */
    private static final class Wanted {
        private final ServiceRegistry<Registration> registry;
        private final Registration registration;
        private boolean isThere;

        Wanted(ServiceRegistry<Registration> registry, Registration registration) {
            this.registry = registry;
            this.registration = registration;
        }

        boolean isOf(ServiceRegistry<Registration> other, Registration wanted) {
            return registry.equals(other) && registration.equals(wanted);
        }

        void register() {
            registry.register(registration);
            isThere = true;
        }

        void deregister() {
            registry.deregister(registration);
            isThere = false;
        }
    }
}
