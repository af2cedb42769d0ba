package io.sluice.spring.gateway;

import io.sluice.core.identity.Identity;
import io.sluice.core.observation.ObservationSink;
import io.sluice.core.propagation.TagCarrier;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TagReading;
import io.sluice.core.tag.TrafficTag;
import io.sluice.spring.HttpHeadersCarrier;
import io.sluice.spring.IdentitySources;
import io.sluice.spring.report.IncomingTag;
import io.sluice.spring.report.SluiceMeters;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.ErrorResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/**
 * Gives each request its tag, once, and notes how it went. A tag that is still there comes from a trusted upstream,
 * since {@link OutsideClaims} has taken the others away: it is passed on unchanged.
 */
final class DyeingFilter implements GlobalFilter, Ordered {
    /** The exchange attribute with the {@link TrafficTag} of the request. */
    static final String TAG_ATTRIBUTE = "io.sluice.tag";

    private final RuleSource rules;
    private final IdentitySources identities;
    private final ObservationSink observations;
    private final SluiceMeters meters;

    DyeingFilter(RuleSource rules, IdentitySources identities, ObservationSink observations, SluiceMeters meters) {
        this.rules = rules;
        this.identities = identities;
        this.observations = observations;
        this.meters = meters;
    }

    /** Before retries, so that they count as one request, and before the load balancer, which reads the tag. */
    @Override
    public int getOrder() {
        return -100;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
        if (exchange.getAttribute(TAG_ATTRIBUTE) != null) {
            return chain.filter(exchange); // Forwarded inside the gateway: it has its tag.
        }
        long start = System.nanoTime();
        ServerWebExchange dyed = dye(exchange);
        ObservationSink.Exchange observed = observations.begin(dyed.getRequiredAttribute(TAG_ATTRIBUTE));
        AtomicReference<@Nullable Throwable> error = new AtomicReference<>();
        return chain.filter(dyed)
                .doOnError(error::set)
                .doFinally(end -> observed.end(System.nanoTime() - start, hasFailed(end, error.get(), dyed)));
    }

    private ServerWebExchange dye(ServerWebExchange exchange) {
        ServerHttpRequest request = exchange.getRequest();
        TagReading inherited = IncomingTag.read(request.getHeaders(), HttpHeadersCarrier.GETTER, meters);
        ExchangeView view = new ExchangeView(request);
        String worn = view.header(TagCodec.HEADER);
        if (worn != null && !worn.isEmpty() && !inherited.isRefused()) {
            exchange.getAttributes().put(TAG_ATTRIBUTE, inherited.tag());
            return exchange;
        }
        Identity who = identities.identify(view);
        TrafficTag tag = rules.current().dye(view, who);
        exchange.getAttributes().put(TAG_ATTRIBUTE, tag);
        return exchange.mutate()
                .request(changed -> changed.headers(headers -> {
                    headers.set(identities.requestHeader(), who.requestId());
                    headers.remove(TagCodec.HEADER);
                    TagCarrier.inject(tag, headers, HttpHeadersCarrier.SETTER);
                }))
                .build();
    }

    // The status of an error is written after the filters; one that blames the client is no failure of a service.
    private static boolean hasFailed(SignalType end, @Nullable Throwable error, ServerWebExchange exchange) {
        // A client that closes as soon as it has its answer cancels too; only one that got none waited in vain.
        if (end == SignalType.CANCEL && !exchange.getResponse().isCommitted()) {
            return true;
        }
        if (error != null) {
            return !(error instanceof ErrorResponse response
                    && response.getStatusCode().is4xxClientError());
        }
        HttpStatusCode status = exchange.getResponse().getStatusCode();
        return status != null && status.is5xxServerError();
    }
}
