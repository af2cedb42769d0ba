package io.sluice.spring.loadbalancer;

import io.sluice.core.propagation.TagCarrier;
import io.sluice.core.propagation.TagContext;
import io.sluice.core.routing.ColorChoice;
import io.sluice.core.routing.InstanceChoice;
import io.sluice.core.routing.Rung;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TrafficTag;
import io.sluice.spring.HttpHeadersCarrier;
import io.sluice.spring.InstanceName;
import io.sluice.spring.SluiceSettings;
import io.sluice.spring.report.SluiceMeters;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.RequestDataContext;
import org.springframework.cloud.loadbalancer.core.DelegatingServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.http.HttpHeaders;
import reactor.core.publisher.Flux;

/**
 * Leaves of all instances those that may serve the request at hand. On the last rung the list is empty: a gateway
 * answers 503, a client gets an exception, and nobody is served by some other version, or by the other color of a channel
 * in release.
 *
 * <p>Only {@link #get(Request)} filters. {@link #get()} asks for no request, as a cache does, and gives all.
 */
final class LaneFilteringSupplier extends DelegatingServiceInstanceListSupplier {
    private static final Logger LOG = LoggerFactory.getLogger(LaneFilteringSupplier.class);
    private static final long QUIET_NANOS = Duration.ofSeconds(10).toNanos();

    private final RuleSource rules;
    private final SluiceSettings self;
    private final SluiceMeters meters;
    private final AtomicLong nextWarning = new AtomicLong(System.nanoTime());

    LaneFilteringSupplier(
            ServiceInstanceListSupplier delegate, RuleSource rules, SluiceSettings self, SluiceMeters meters) {
        super(delegate);
        this.rules = rules;
        this.self = self;
        this.meters = meters;
    }

    @Override
    public Flux<List<ServiceInstance>> get() {
        return delegate.get();
    }

    @Override
    @SuppressWarnings("rawtypes") // As the interface has it.
    public Flux<List<ServiceInstance>> get(Request request) {
        RuleSet current = rules.current();
        // A request that no door has seen, as one of a job, enters its channels here.
        Wanted wanted = wantedBy(self.colored(tagOf(request), current), current);
        return delegate.get(request)
                .map(instances -> withoutResting(instances, current.channelOf(getServiceId())))
                .map(instances -> eligible(wanted, instances, FailedInstance.leftOutOf(instances, request)));
    }

    private Wanted wantedBy(TrafficTag tag, RuleSet current) {
        Color color = current.wantedColor(tag, getServiceId());
        return color == null ? new Version(current.wantedVersion(tag, getServiceId())) : new Side(color);
    }

    /** Over those that have not failed; with nobody left there, over all again. */
    private List<ServiceInstance> eligible(
            Wanted wanted, List<ServiceInstance> instances, List<ServiceInstance> untried) {
        InstanceChoice<ServiceInstance> choice = wanted.among(untried);
        if (choice.rung() == Rung.NONE) {
            choice = wanted.among(instances);
        }
        meters.routed(getServiceId(), choice.rung());
        if (choice.rung() == Rung.NONE) {
            warn(wanted, instances.size());
        }
        return choice.instances();
    }

    /** Those that no rolling release has taken out; all of them if none was left. */
    private List<ServiceInstance> withoutResting(List<ServiceInstance> instances, @Nullable Channel channel) {
        if (channel == null || channel.resting().isEmpty()) {
            return instances;
        }
        List<ServiceInstance> serving = instances.stream()
                .filter(instance -> !channel.resting()
                        .contains(InstanceName.at(
                                getServiceId(), instance.getHost(), String.valueOf(instance.getPort()))))
                .toList();
        return serving.isEmpty() ? instances : serving;
    }

    /** What a request asks of an instance. */
    private sealed interface Wanted {
        InstanceChoice<ServiceInstance> among(List<ServiceInstance> instances);
    }

    /** A version, by the ladder. */
    private record Version(String version) implements Wanted {
        @Override
        public InstanceChoice<ServiceInstance> among(List<ServiceInstance> instances) {
            return InstanceChoice.of(version, instances, LaneFilteringSupplier::versionOf);
        }

        @Override
        public String toString() {
            return version + ", and neither it nor stable";
        }
    }

    /** A side of a channel in release, or nobody. */
    private record Side(Color color) implements Wanted {
        @Override
        public InstanceChoice<ServiceInstance> among(List<ServiceInstance> instances) {
            return ColorChoice.of(color, instances, LaneFilteringSupplier::colorOf);
        }

        @Override
        public String toString() {
            return color.label() + ", and no such instance";
        }
    }

    /** What the request to be sent wears; the current tag when it is not known, or wears none. */
    private static TrafficTag tagOf(Request<?> request) {
        if (request.getContext() instanceof RequestDataContext context && context.getClientRequest() != null) {
            HttpHeaders headers = context.getClientRequest().getHeaders();
            if (headers != null
                    && (headers.containsHeader(TagCodec.HEADER) || headers.containsHeader(TagCodec.COLORS_HEADER))) {
                return TagCarrier.extract(headers, HttpHeadersCarrier.GETTER).tag();
            }
        }
        return TagContext.current();
    }

    /** An instance with a color is no canary: its version is that of its side. */
    private static @Nullable String versionOf(ServiceInstance instance) {
        return colorOf(instance) == null ? in(instance, "version") : null;
    }

    /** The color, if it is one. */
    private static @Nullable String colorOf(ServiceInstance instance) {
        String color = in(instance, "color");
        return Color.BLUE.label().equals(color) || Color.GREEN.label().equals(color) ? color : null;
    }

    private static @Nullable String in(ServiceInstance instance, String key) {
        Map<String, String> metadata = instance.getMetadata();
        return metadata == null ? null : metadata.get(key);
    }

    private void warn(Wanted wanted, int instances) {
        long now = System.nanoTime();
        long next = nextWarning.get();
        if (now - next >= 0 && nextWarning.compareAndSet(next, now + QUIET_NANOS)) {
            LOG.warn("no instance of {} may serve: wanted {} is among {} instances", getServiceId(), wanted, instances);
        }
    }
}
