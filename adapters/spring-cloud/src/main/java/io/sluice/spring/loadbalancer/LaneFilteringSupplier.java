package io.sluice.spring.loadbalancer;

import io.sluice.core.propagation.TagCarrier;
import io.sluice.core.propagation.TagContext;
import io.sluice.core.routing.InstanceChoice;
import io.sluice.core.routing.Rung;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TrafficTag;
import io.sluice.spring.HttpHeadersCarrier;
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
 * answers 503, a client gets an exception, and nobody is served by some other version.
 *
 * <p>Only {@link #get(Request)} filters. {@link #get()} asks for no request, as a cache does, and gives all.
 */
final class LaneFilteringSupplier extends DelegatingServiceInstanceListSupplier {
    private static final Logger LOG = LoggerFactory.getLogger(LaneFilteringSupplier.class);
    private static final long QUIET_NANOS = Duration.ofSeconds(10).toNanos();

    private final RuleSource rules;
    private final SluiceMeters meters;
    private final AtomicLong nextWarning = new AtomicLong(System.nanoTime());

    LaneFilteringSupplier(ServiceInstanceListSupplier delegate, RuleSource rules, SluiceMeters meters) {
        super(delegate);
        this.rules = rules;
        this.meters = meters;
    }

    @Override
    public Flux<List<ServiceInstance>> get() {
        return delegate.get();
    }

    @Override
    @SuppressWarnings("rawtypes") // As the interface has it.
    public Flux<List<ServiceInstance>> get(Request request) {
        TrafficTag tag = tagOf(request);
        return delegate.get(request)
                .map(instances -> eligible(tag, instances, FailedInstance.leftOutOf(instances, request)));
    }

    /** By the ladder over those that have not failed; with nobody left there, over all again. */
    private List<ServiceInstance> eligible(
            TrafficTag tag, List<ServiceInstance> instances, List<ServiceInstance> untried) {
        String wanted = rules.current().wantedVersion(tag, getServiceId());
        InstanceChoice<ServiceInstance> choice = InstanceChoice.of(wanted, untried, LaneFilteringSupplier::versionOf);
        if (choice.rung() == Rung.NONE) {
            choice = InstanceChoice.of(wanted, instances, LaneFilteringSupplier::versionOf);
        }
        meters.routed(getServiceId(), choice.rung());
        if (choice.rung() == Rung.NONE) {
            warn(wanted, instances.size());
        }
        return choice.instances();
    }

    /** What the request to be sent wears; the current tag when it is not known, or wears none. */
    private static TrafficTag tagOf(Request<?> request) {
        if (request.getContext() instanceof RequestDataContext context && context.getClientRequest() != null) {
            HttpHeaders headers = context.getClientRequest().getHeaders();
            if (headers != null && headers.containsHeader(TagCodec.HEADER)) {
                return TagCarrier.extract(headers, HttpHeadersCarrier.GETTER).tag();
            }
        }
        return TagContext.current();
    }

    private static @Nullable String versionOf(ServiceInstance instance) {
        Map<String, String> metadata = instance.getMetadata();
        return metadata == null ? null : metadata.get("version");
    }

    private void warn(String wanted, int instances) {
        long now = System.nanoTime();
        long next = nextWarning.get();
        if (now - next >= 0 && nextWarning.compareAndSet(next, now + QUIET_NANOS)) {
            LOG.warn(
                    "no instance of {} may serve: wanted {}, and neither it nor stable is among {} instances",
                    getServiceId(),
                    wanted,
                    instances);
        }
    }
}
