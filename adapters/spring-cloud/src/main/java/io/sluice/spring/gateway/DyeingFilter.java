package io.sluice.spring.gateway;

import io.sluice.core.identity.Identity;
import io.sluice.core.observation.ObservationSink;
import io.sluice.core.observation.ServedRequests;
import io.sluice.core.propagation.TagCarrier;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.tag.ChannelColors;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TagReading;
import io.sluice.core.tag.TrafficTag;
import io.sluice.spring.HttpHeadersCarrier;
import io.sluice.spring.SluiceSettings;
import io.sluice.spring.report.IncomingTag;
import io.sluice.spring.report.SluiceMeters;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.ErrorResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/**
 * Gives each request its tag, once, and notes how it went. A tag that is still there comes from a trusted upstream,
 * since {@link OutsideClaims} has taken the others away: it is passed on, with the colors that it lacks.
 */
final class DyeingFilter implements GlobalFilter, Ordered {
    /** The exchange attribute with the {@link TrafficTag} of the request. */
    static final String TAG_ATTRIBUTE = "io.sluice.tag";

    private final RuleSource rules;
    private final SluiceSettings self;
    private final ObservationSink observations;
    private final ServedRequests served;
    private final SluiceMeters meters;

    DyeingFilter(
            RuleSource rules,
            SluiceSettings self,
            ObservationSink observations,
            ServedRequests served,
            SluiceMeters meters) {
        this.rules = rules;
        this.self = self;
        this.observations = observations;
        this.served = served;
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
        served.begin();
        AtomicReference<@Nullable Throwable> error = new AtomicReference<>();
        return chain.filter(dyed).doOnError(error::set).doFinally(end -> {
            served.end();
            observed.end(System.nanoTime() - start, hasFailed(end, error.get(), dyed));
        });
    }

    private ServerWebExchange dye(ServerWebExchange exchange) {
        ServerHttpRequest request = exchange.getRequest();
        TagReading inherited = IncomingTag.read(request.getHeaders(), HttpHeadersCarrier.GETTER, meters);
        ExchangeView view = new ExchangeView(request);
        RuleSet current = rules.current();
        String worn = view.header(TagCodec.HEADER);
        if (worn != null && !worn.isEmpty() && !inherited.isRefused()) {
            TrafficTag tag = self.colored(inherited.tag(), current);
            return tag.equals(inherited.tag()) ? noting(tag, exchange) : wearing(tag, exchange, headers -> {});
        }
        Identity who = self.identity().identify(view);
        TrafficTag tag = withFirst(inherited.tag().colors(), current.dye(view, who));
        return wearing(tag, exchange, headers -> {
            headers.set(self.identity().requestHeader(), who.requestId());
            headers.remove(TagCodec.HEADER);
        });
    }

    /** A request of a trusted upstream may have entered channels and have no tag beside: what it has stays. */
    private static TrafficTag withFirst(ChannelColors inherited, TrafficTag dyed) {
        ChannelColors colors = inherited;
        for (Map.Entry<String, Color> entered : dyed.colors().asMap().entrySet()) {
            colors = colors.with(entered.getKey(), entered.getValue());
        }
        return dyed.withColors(colors);
    }

    private static ServerWebExchange wearing(TrafficTag tag, ServerWebExchange exchange, Consumer<HttpHeaders> others) {
        return noting(tag, exchange)
                .mutate()
                .request(changed -> changed.headers(headers -> {
                    others.accept(headers);
                    TagCarrier.inject(tag, headers, HttpHeadersCarrier.GETTER, HttpHeadersCarrier.SETTER);
                }))
                .build();
    }

    private static ServerWebExchange noting(TrafficTag tag, ServerWebExchange exchange) {
        exchange.getAttributes().put(TAG_ATTRIBUTE, tag);
        return exchange;
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
