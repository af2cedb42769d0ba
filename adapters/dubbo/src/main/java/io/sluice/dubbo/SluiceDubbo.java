package io.sluice.dubbo;

import io.sluice.core.observation.ObservationSink;
import io.sluice.core.observation.ServedRequests;
import io.sluice.core.routing.ColorWeights;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.tag.TrafficTag;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.dubbo.common.deploy.ApplicationDeployer;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.jspecify.annotations.Nullable;

/**
 * Sluice in one Dubbo application. Set up before Dubbo starts:
 *
 * <pre>{@code
 * SluiceDubbo sluice = SluiceDubbo.install(rules, new Self("order", "v2", Color.BLUE, "order@10.0.0.7:20880"));
 * DubboBootstrap.getInstance().application("order")....start();
 * }</pre>
 *
 * Each application of a process has one of its own; in an application without, all of this package does nothing. Safe for all
 * threads.
 */
public final class SluiceDubbo implements AutoCloseable {
    private final Slot slot;
    private final RuleSource rules;
    private final Self self;
    private final ObservationSink observations;
    private final ServedRequests served = new ServedRequests();
    private final CopyOnWriteArrayList<ChannelDiscovery> registrations = new CopyOnWriteArrayList<>();
    private final AtomicReference<RuleSource.@Nullable Subscription> subscription = new AtomicReference<>();
    private volatile int weight = ColorWeights.BASE;

    private SluiceDubbo(Slot slot, RuleSource rules, Self self, ObservationSink observations) {
        this.slot = slot;
        this.rules = rules;
        this.self = self;
        this.observations = observations;
    }

    /** Sets up Dubbo's default application, noting no observations. */
    public static SluiceDubbo install(RuleSource rules, Self self) {
        return install(ApplicationModel.defaultModel(), rules, self, ObservationSink.discarding());
    }

    /**
     * Sets up one application.
     *
     * @param rules by which it decides; stays the caller's to close, after this
     * @param observations what takes note of the requests it serves
     * @throws IllegalStateException when the application has started, or has been set up before
     */
    public static SluiceDubbo install(
            ApplicationModel application, RuleSource rules, Self self, ObservationSink observations) {
        Objects.requireNonNull(application, "application");
        Objects.requireNonNull(rules, "rules");
        Objects.requireNonNull(self, "self");
        Objects.requireNonNull(observations, "observations");
        ApplicationDeployer deployer = application.getDeployer();
        if (deployer != null && (deployer.isStarting() || deployer.isStarted())) {
            throw new IllegalStateException("the Dubbo application was started, but must be set up before");
        }
        Slot slot = Slot.of(application);
        SluiceDubbo sluice = new SluiceDubbo(slot, rules, self, observations);
        if (!slot.put(sluice)) {
            throw new IllegalStateException("the Dubbo application was set up already, but must be once");
        }
        sluice.follow();
        return sluice;
    }

    /** What this application serves, without Dubbo's own services. */
    public ServedRequests served() {
        return served;
    }

    /** Whether callers can find this application in all of its registries. */
    public boolean isRegistered() {
        return !registrations.isEmpty() && registrations.stream().allMatch(ChannelDiscovery::isRegistered);
    }

    /** Ends it: calls pass untouched, and the application stays registered as it is. */
    @Override
    public void close() {
        slot.clear(this);
        RuleSource.Subscription following = subscription.getAndSet(null);
        if (following != null) {
            following.close();
        }
    }

    private void follow() {
        subscription.set(rules.subscribe(newer -> registrations.forEach(ChannelDiscovery::followSoon)));
    }

    boolean isClosed() {
        return slot.get() != this;
    }

    Self self() {
        return self;
    }

    RuleSet rules() {
        return rules.current();
    }

    ObservationSink observations() {
        return observations;
    }

    /** A tag with all colors that its request has or gets here. */
    TrafficTag completed(TrafficTag tag) {
        return rules.current().colored(tag, self.service(), self.color());
    }

    /** Under which an instance that registers now begins. */
    int weight() {
        return weight;
    }

    void weight(int newer) {
        weight = newer;
    }

    void registersIn(ChannelDiscovery registry) {
        registrations.addIfAbsent(registry);
    }
}
